import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { beforeEach, expect, it } from 'vitest';
import type { ChannelModel } from 'amqplib';
import { BrokerLink } from './broker-link.js';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

class Connection extends EventEmitter {
  readonly connection = { stream: new PassThrough() };
  close = async (): Promise<void> => void this.emit('close');
}

let link: BrokerLink;
let told: boolean[];

beforeEach(() => {
  link = new BrokerLink('amqp://127.0.0.1', 'spec', silent);
  told = [];
  link.onBlocked((blocked) => told.push(blocked));
});

/** As the library does at each connect. It passes on what a connection tells only after that. */
const setUp = (connection: Connection): Promise<void> =>
  (link as unknown as { setUp(model: ChannelModel): Promise<void> }).setUp(connection as unknown as ChannelModel);

it('hears an alarm that the broker tells of while the connection is being set up', async () => {
  const connection = new Connection();
  link.addStep(async () => void connection.emit('blocked', 'low on memory'));
  await setUp(connection);
  expect([link.ready, link.blocked, link.readSince]).toEqual([true, true, Infinity]);
  const before = performance.now();
  connection.emit('unblocked');
  expect([link.blocked, told]).toEqual([false, [true, false]]);
  expect(link.readSince).toBeGreaterThanOrEqual(before);
});

it('forgets an alarm with the connection that could not be set up', async () => {
  const connection = new Connection();
  link.addStep(async () => {
    connection.emit('blocked', 'low on memory');
    throw new Error('a queue is away');
  });
  await expect(setUp(connection)).rejects.toThrow('a queue is away');
  expect([link.ready, link.blocked, told]).toEqual([false, false, [true, false]]);
  connection.emit('blocked', 'low on memory');
  expect(link.blocked, 'of a connection that has ended').toBe(false);
});

import { EventEmitter } from 'node:events';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ChannelModel } from 'amqplib';
import { BrokerLink } from './broker-link.js';

type SetUp = (model: ChannelModel) => Promise<void>;

/** The library, which connects when the test says so and passes a connection's events on once it is set up. */
const library = vi.hoisted(() => ({ setUp: undefined as unknown as SetUp }));
vi.mock('amqplib', () => ({
  connect: async (_url: unknown, { recovery }: { recovery: { setup: SetUp } }) => {
    library.setUp = recovery.setup;
    return Object.assign(new EventEmitter(), { close: async () => undefined });
  },
}));

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

class Connection extends EventEmitter {
  close = async (): Promise<void> => void this.emit('close');
}

const asModel = (connection: Connection): ChannelModel => connection as unknown as ChannelModel;

let link: BrokerLink;
let told: boolean[];

beforeEach(async () => {
  link = new BrokerLink('amqp://127.0.0.1', 'spec', silent);
  told = [];
  link.onBlocked((blocked) => told.push(blocked));
  await link.start();
});

it('hears an alarm that the broker tells of while the connection is being set up', async () => {
  const connection = new Connection();
  link.addStep(async () => void connection.emit('blocked', 'low on memory'));
  await library.setUp(asModel(connection));
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
  await expect(library.setUp(asModel(connection))).rejects.toThrow('a queue is away');
  expect([link.ready, link.blocked, told]).toEqual([false, false, [true, false]]);
  connection.emit('blocked', 'low on memory');
  expect(link.blocked, 'of a connection that has ended').toBe(false);
});

import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import {
  crashedQueueOf,
  DELIVERY_LIMIT,
  DONE,
  park,
  parkedQueueOf,
  QUEUES,
  toQueue,
  type Broker,
  type IncomingMessage,
} from '@form-webhooks/broker';
import { decodeLogBatch, deliveryHeaders } from '@form-webhooks/messages';
import type { DataSource } from '@form-webhooks/storage';
import { runOps } from '../../apps/config/src/ops/run-ops.js';
import { dieOfFirst, emptyBroker, Probe, startBroker, startServer } from '../support/broker.js';
import { migratedDatabase, openDatabase } from '../support/config/config-database.js';
import { anEvent, deliveryOf, logWriter } from '../support/config/delivery-log.js';

const url = brokerUrl();
const WAIT = { timeout: 60_000, interval: 50 };
const EVENTS = QUEUES.events;

beforeEach(() => emptyBroker(url));

const publish = (broker: Broker, queue: string, text: string, headers: Record<string, string | number> = {}) =>
  broker.publisher.publish(toQueue(queue), { headers, body: Buffer.from(text) });

const runCommand = (...args: string[]): Promise<{ code: number; out: string; err: string }> =>
  runUnless(new AbortController().signal, ...args);

async function runUnless(signal: AbortSignal, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const told = { out: '', err: '' };
  const code = await runOps(['parked', ...args], {
    ...{ environment: { RABBITMQ_URL: url }, folder: '/', signal },
    out: (text) => (told.out += text),
    err: (text) => (told.err += text),
  });
  return { code, ...told };
}

async function openOwnDatabase(): Promise<DataSource> {
  const database = await migratedDatabase();
  onTestFinished(database.drop);
  const dataSource = await openDatabase(database.url);
  onTestFinished(() => dataSource.destroy());
  return dataSource;
}

describe('a message past the delivery limit', () => {
  it(
    'is parked when its handler always throws, while channel, consumer and process go on',
    { timeout: 90_000 },
    async () => {
      const handled: string[] = [];
      const handle = async ({ body }: IncomingMessage) => {
        handled.push(body.toString());
        if (body.toString() === 'guilty') throw new TypeError('a bug');
        return DONE;
      };
      const { broker, server } = await startServer(url, { [EVENTS]: handle }, { handBackPauseMs: 1 });
      const probe = await Probe.open(url);
      await publish(broker, EVENTS, 'guilty', { event_id: 'evt_1' });
      await vi.waitFor(async () => expect(await probe.depth(parkedQueueOf(EVENTS))).toBe(1), WAIT);
      // Twice to the limit: a crash would count for every message that its process held.
      expect(handled.length).toBe(2 * (DELIVERY_LIMIT + 1));
      const settledOf = (queue: string) => server.standings.find((one) => one.queue === queue)!.settled;
      expect(settledOf(EVENTS)).toMatchObject({ handed_back: handled.length, done: 0 });
      // Settled once it is parked.
      await vi.waitFor(() => expect(settledOf(crashedQueueOf(EVENTS))).toMatchObject({ done: 2 }), WAIT);
      const [parked] = [await probe.channel.get(parkedQueueOf(EVENTS), { noAck: true })];
      expect(parked && parked.properties.headers).toMatchObject({
        event_id: 'evt_1',
        parked_reason: expect.stringContaining('past the delivery limit, twice'),
      });
      await publish(broker, EVENTS, 'innocent');
      await vi.waitFor(() => expect(handled.at(-1)).toBe('innocent'), WAIT);
      expect(server.healthy).toBe(true);
    },
  );

  it('goes back to work once by itself', async () => {
    const broker = await startBroker(url);
    const probe = await Probe.open(url);
    await publish(broker, EVENTS, 'innocent', { event_id: 'evt_1' });
    await dieOfFirst(probe.connection, EVENTS);
    await vi.waitFor(async () => expect(await probe.depth(crashedQueueOf(EVENTS))).toBe(1), WAIT);
    const seen: IncomingMessage[] = [];
    await startServer(url, {
      [EVENTS]: async (message: IncomingMessage) => {
        seen.push(message);
        return DONE;
      },
    });
    await vi.waitFor(() => expect(seen).toHaveLength(1), WAIT);
    expect(seen[0]!.body.toString()).toBe('innocent');
    expect(seen[0]!.headers).toMatchObject({ event_id: 'evt_1', unparked: 1 });
    expect(await probe.depth(parkedQueueOf(EVENTS))).toBe(0);
  });

  it('is parked for a person the second time', async () => {
    const broker = await startBroker(url);
    const probe = await Probe.open(url);
    await publish(broker, EVENTS, 'culprit', { unparked: 1 });
    await dieOfFirst(probe.connection, EVENTS);
    await startServer(url, { [EVENTS]: async () => DONE });
    await vi.waitFor(async () => expect(await probe.depth(parkedQueueOf(EVENTS))).toBe(1), WAIT);
  });
});

describe('the operator’s commands for parked messages', () => {
  async function parkTwo(): Promise<Probe> {
    const { broker, server } = await startServer(url, { [EVENTS]: async () => park('schema_version is 9') });
    const probe = await Probe.open(url);
    const sent = { messageId: 'key-1', contentType: 'application/json', contentEncoding: 'gzip' };
    await broker.publisher.publish(toQueue(EVENTS), {
      ...sent,
      headers: { event_id: 'evt_a' },
      body: Buffer.from('a-secret-value'),
    });
    await publish(broker, EVENTS, 'another', { event_id: 'evt_b' });
    await vi.waitFor(async () => expect(await probe.depth(parkedQueueOf(EVENTS))).toBe(2), WAIT);
    await server.close();
    return probe;
  }

  it('counts and lists them with their reasons, never their bodies, and leaves them there', async () => {
    const probe = await parkTwo();
    expect((await runCommand('list')).out).toMatch(/^\s+2 {2}dispatcher\.events\.parked$/m);
    const { out, code } = await runCommand('list', parkedQueueOf(EVENTS));
    expect(code).toBe(0);
    expect(out).toContain('schema_version is 9');
    expect(out).toContain('evt_a');
    expect(out).not.toContain('a-secret-value');
    await vi.waitFor(async () => expect(await probe.depth(parkedQueueOf(EVENTS))).toBe(2), WAIT);
  });

  it('puts them back to work as they were', async () => {
    const probe = await parkTwo();
    const { out } = await runCommand('send', parkedQueueOf(EVENTS), '--limit', '2');
    expect(out).toContain('2 messages back to work');
    const back = await probe.channel.get(EVENTS, { noAck: true });
    if (!back) throw new Error('nothing came back');
    expect(back.content.toString()).toBe('a-secret-value');
    expect(back.properties).toMatchObject({
      headers: { event_id: 'evt_a', came_before: 1 },
      messageId: 'key-1',
      contentType: 'application/json',
      contentEncoding: 'gzip',
    });
    expect(Object.keys(back.properties.headers ?? {})).not.toContainEqual(expect.stringMatching(/^parked_/));
    expect(await probe.depth(parkedQueueOf(EVENTS))).toBe(0);
  });

  it('drops only as many as it is told, or those that it is told, and shows one with all that is known', async () => {
    const probe = await parkTwo();
    const shown = JSON.parse((await runCommand('show', parkedQueueOf(EVENTS), 'key-1', '--json')).out);
    expect(shown.messages).toMatchObject([{ message_id: 'key-1', headers: { event_id: 'evt_a' } }]);
    expect(Date.parse(shown.messages[0].parked_at)).toBeGreaterThan(Date.now() - 600_000);
    const { out } = await runCommand('drop', parkedQueueOf(EVENTS), '--id', 'evt_b', '--limit', '2');
    expect(out).toContain('evt_b');
    expect(out).not.toContain('evt_a');
    await vi.waitFor(async () => expect(await probe.depth(parkedQueueOf(EVENTS))).toBe(1), WAIT);
    expect((await runCommand('drop', parkedQueueOf(EVENTS))).out).toContain('evt_a');
    expect(await probe.depth(parkedQueueOf(EVENTS))).toBe(0);
  });

  it.each(['send', 'drop'])('%s takes the first message alone unless it is told otherwise', async (command) => {
    const probe = await parkTwo();
    const { out } = await runCommand(command, parkedQueueOf(EVENTS));
    expect(out).toMatch(/^1 message /m);
    await vi.waitFor(async () => expect(await probe.depth(parkedQueueOf(EVENTS))).toBe(1), WAIT);
  });

  it('ends in order when it is interrupted, and says what it had settled by then', async () => {
    const probe = await parkTwo();
    const interrupted = await runUnless(AbortSignal.abort(), 'drop', parkedQueueOf(EVENTS), '--limit', '2');
    expect(interrupted).toMatchObject({ code: 130, err: expect.stringContaining('it was interrupted') });
    expect(interrupted.out).toContain('1 message thrown away');
    await vi.waitFor(async () => expect(await probe.depth(parkedQueueOf(EVENTS))).toBe(1), WAIT);
  });

  it('cancels each delivery that it drops, where it stood, so that nothing publishes it again', async () => {
    const [broker, probe] = [await startBroker(url), await Probe.open(url)];
    const event = anEvent();
    const position = { generation: 1, try: 2, deferrals: 3 };
    const parked = parkedQueueOf(QUEUES.deliveries);
    await broker.publisher.publish(toQueue(parked), {
      headers: { ...deliveryHeaders(deliveryOf(event, position)), parked_reason: 'its secret does not open' },
      body: event.tail,
    });
    await publish(broker, parked, 'no delivery', { delivery_id: 'dlv_no' });
    expect((await runCommand('drop', parked, '--limit', '2')).out).toContain('2 messages');
    expect(await probe.depth(parked)).toBe(0);
    await vi.waitFor(async () => expect(await probe.depth(QUEUES.deliveryLog)).toBe(1), WAIT);
    const batch = await probe.channel.get(QUEUES.deliveryLog, { noAck: true });
    const [record] = batch ? decodeLogBatch(batch.content) : [];
    expect(record).toMatchObject({ ...event.deliveries[0], position, state: 'cancelled', reason: 'discarded' });

    const dataSource = await openOwnDatabase();
    await logWriter(dataSource).write([event, record!]);
    expect(await dataSource.query('SELECT state, reason FROM deliveries')).toEqual([
      { state: 'cancelled', reason: 'discarded' },
    ]);
  });

  it.each([
    [['send', 'dispatcher.events'], 'is no queue of parked messages'],
    [['list', 'dispatcher.events.parked', '--limit', 'all'], '--limit takes a whole number'],
    [['explode', 'dispatcher.events.parked'], 'parked needs list, show, send or drop, not explode'],
    [[], 'parked needs list, show, send or drop'],
  ])('refuses %j and says what it can do', async (args, words) => {
    const { code, err } = await runCommand(...args);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});

import { expect, it } from 'vitest';
import { showBroker, type BrokerMeters } from './broker-meters.js';
import type { Broker } from './broker.js';
import type { BrokerServer } from './consume/broker-server.js';
import { IntakeHold } from './intake/intake-hold.js';
import { PUBLISH_FAILURES } from './publish/publish-failed.js';
import type { OnPublished } from './publish/safe-publisher.js';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const CONSUMERS = { pause: () => Promise.resolve(), resume: () => Promise.resolve() };

/** Keeps how each metric is read. */
class Meters implements BrokerMeters {
  readonly reads = new Map<string, () => unknown>();
  readonly observed: unknown[] = [];
  readonly codes: string[] = [];

  watch(name: string, _help: string, read: () => number): void {
    this.reads.set(name, read);
  }
  watchEach: BrokerMeters['watchEach'] = (name, _help, _labels, read) => void this.reads.set(name, () => [...read()]);
  watchCount: BrokerMeters['watchCount'] = (name, help, labels, read) => this.watchEach(name, help, labels, read);
  histogram = (name: string) => ({ observe: (value: number) => void this.observed.push({ name, value }) });
  counter = (name: string) => ({
    inc: ({ code }: { code: string }, value = 1) =>
      void (value > 0 ? this.observed.push({ name, code }) : this.codes.push(code)),
  });

  read(name: string): unknown {
    return this.reads.get(name)!();
  }
}

function stage() {
  let told: OnPublished = () => undefined;
  const broker = {
    publishing: { ready: true, blocked: true, losses: 2 },
    consuming: { ready: false, blocked: false, losses: 0 },
    publisher: {
      load: { unconfirmed: 3, unconfirmedBytes: 30, waiting: 1 },
      watch: (listener: OnPublished) => (told = listener),
    },
  } as unknown as Broker;
  const settled = { done: 5, parked: 1, handed_back: 0, not_begun: 0, left: 0 };
  const server = { standings: [{ queue: 'work', handling: 4, settled }] } as unknown as BrokerServer;
  const hold = new IntakeHold(CONSUMERS, ['work'], silent);
  const meters = new Meters();
  showBroker(meters, broker, server, hold);
  return { meters, hold, publish: (...how: Parameters<OnPublished>) => told(...how) };
}

it('shows of each connection whether it stands, is blocked and was lost', () => {
  const { meters } = stage();
  const of = (publishing: number, consuming: number) => [
    { labels: { connection: 'publishing' }, value: publishing },
    { labels: { connection: 'consuming' }, value: consuming },
  ];
  expect(meters.read('broker_connected')).toEqual(of(1, 0));
  expect(meters.read('broker_blocked')).toEqual(of(1, 0));
  expect(meters.read('broker_connections_lost_total')).toEqual(of(2, 0));
});

it('shows a reason that holds the intake, and that it held once it is gone', async () => {
  const { meters, hold } = stage();
  const FULL = { why: 'too much is held', extent: 'intake' } as const;
  expect(meters.read('broker_intake_held')).toEqual([]);
  await hold.hold(FULL);
  await hold.hold(FULL);
  const labels = { reason: 'too much is held' };
  expect(meters.read('broker_intake_held')).toEqual([{ labels, value: 1 }]);
  hold.release(FULL);
  hold.release(FULL);
  expect(meters.read('broker_intake_held')).toEqual([{ labels, value: 0 }]);
  expect(meters.read('broker_intake_holds_total')).toEqual([{ labels, value: 1 }]);
});

it('shows how long confirms take, and publishes that were not confirmed by their code', () => {
  const { meters, publish } = stage();
  publish(250, undefined);
  publish(10_000, 'timeout');
  expect(meters.observed).toEqual([
    { name: 'broker_confirm_seconds', value: 0.25 },
    { name: 'broker_publish_failures_total', code: 'timeout' },
  ]);
  expect(meters.read('broker_publishes_unconfirmed')).toBe(3);
});

it('shows each way in which a publish fails from the start, one that never got its turn too', () => {
  const { meters, publish } = stage();
  expect(meters.codes).toEqual(PUBLISH_FAILURES);
  publish(10_000, 'no_turn');
  expect(meters.codes).toContain('no_turn');
  expect(meters.observed).toEqual([{ name: 'broker_publish_failures_total', code: 'no_turn' }]);
});

it('shows of each queue what is in hand and what became of its messages', () => {
  const { meters } = stage();
  expect(meters.read('broker_messages_in_hand')).toEqual([{ labels: { queue: 'work' }, value: 4 }]);
  expect(meters.read('broker_messages_total')).toContainEqual({
    labels: { queue: 'work', settlement: 'parked' },
    value: 1,
  });
});

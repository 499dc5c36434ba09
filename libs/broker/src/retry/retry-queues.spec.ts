import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BrokerLink, LinkStep, Session } from '../connection/broker-link.js';
import type { SafePublisher } from '../publish/safe-publisher.js';
import type { Destination } from '../destinations.js';
import { endpointRetryQueue, expiryOf } from '../topology.js';
import { RetryQueues } from './retry-queues.js';

const DELAY_MS = 10_000;
const MARGIN_MS = 600_000;
const QUEUE = endpointRetryQueue('we_1', DELAY_MS, MARGIN_MS).name;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A broker that notes what is declared, and confirms when the test says so. It owes the answer to `unanswered`. */
async function stage({ isCluster = false, sharedRungsMs = [] as number[], unanswered = '' } = {}) {
  const declared: string[] = [];
  const confirms: (() => void)[] = [];
  const assertQueue = (name: string): Promise<void> => {
    declared.push(name);
    return name === unanswered ? new Promise(() => undefined) : Promise.resolve();
  };
  const channels: EventEmitter[] = [];
  const openExpendableChannel = (): Promise<EventEmitter> => {
    const channel = Object.assign(new EventEmitter(), { assertQueue, close: () => Promise.resolve() });
    channels.push(channel);
    return Promise.resolve(channel);
  };
  const session = { open: true, openExpendableChannel } as unknown as Session;
  const steps: LinkStep[] = [];
  const addStep = (step: LinkStep) => void steps.push(step);
  const link = { isCluster, blocked: false, readSince: -Infinity, addStep };
  const published: string[] = [];
  const publish = ({ routingKey }: Destination): Promise<void> => {
    published.push(routingKey);
    return new Promise((resolve) => confirms.push(resolve));
  };
  const queues = new RetryQueues(
    link as unknown as BrokerLink,
    { publish } as unknown as SafePublisher,
    {
      sharedRungsMs,
      idOf: ({ id }) => String(id),
      marginMs: MARGIN_MS,
      maxLeases: 10,
      declareWaitMs: 1_000,
      dueIsThere: () => true,
    },
    silent,
  );
  for (const step of steps) await step(session);
  const publishOne = (endpointId = 'we_1') =>
    queues.publish(endpointId, DELAY_MS, () => ({ headers: { id: endpointId }, body: Buffer.alloc(0) }));
  return { declared, confirms, channels, publishOne, published, link, queues };
}

it('declares come by one channel, however many are wanted at once, and by another once it is closed', async () => {
  const { confirms, channels, publishOne } = await stage();
  const wanted = [publishOne('we_1'), publishOne('we_2'), publishOne('we_3')];
  await vi.waitFor(() => expect(confirms).toHaveLength(3));
  expect(channels).toHaveLength(1);
  channels[0]!.emit('close');
  wanted.push(publishOne('we_4'));
  await vi.waitFor(() => expect(confirms).toHaveLength(4));
  expect(channels).toHaveLength(2);
  for (const confirm of confirms) confirm();
  await Promise.all(wanted);
});

it('in an alarm nothing is declared, since no declare is read either', async () => {
  const { declared, link, publishOne } = await stage();
  link.blocked = true;
  await expect(publishOne()).rejects.toMatchObject({ code: 'blocked' });
  expect(declared).toEqual([]);
});

describe('the lease of an endpoint queue', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('is renewed at once when an alarm kept a publish waiting until its queue has not long to live', async () => {
    const { declared, confirms, publishOne } = await stage();
    const published = publishOne();
    await vi.waitFor(() => expect(confirms).toHaveLength(1));
    expect(declared).toEqual([QUEUE]);
    vi.advanceTimersByTime(expiryOf(DELAY_MS, MARGIN_MS) - DELAY_MS / 2);
    confirms[0]!();
    await published;
    expect(declared).toEqual([QUEUE, QUEUE]);
  });

  it('costs no declare more where the broker confirms soon', async () => {
    const { declared, confirms, publishOne } = await stage();
    for (const nth of [0, 1, 2]) {
      const published = publishOne();
      await vi.waitFor(() => expect(confirms).toHaveLength(nth + 1));
      vi.advanceTimersByTime(1_000);
      confirms[nth]!();
      await published;
    }
    expect(declared).toEqual([QUEUE]);
  });
});

describe('a shared queue that keeps what has expired in it', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is left out once a message that waited there is published again, until anything comes out of it', async () => {
    const { published, confirms, publishOne, queues } = await stage({
      isCluster: true,
      sharedRungsMs: [10_000, 30_000],
    });
    await vi.advanceTimersByTimeAsync(10_000);
    const publishNext = async (id: string): Promise<string | undefined> => {
      const done = publishOne(id);
      await vi.advanceTimersByTimeAsync(0);
      confirms.at(-1)!();
      await done;
      return published.at(-1);
    };
    expect(await publishNext('one')).toBe('retry.shared.10000');
    await vi.advanceTimersByTimeAsync(600_000);
    queues.noteArrival({ headers: { id: 'other', 'x-first-death-queue': 'retry.shared.30000' }, wasLost: false });
    expect(await publishNext('two')).toBe('retry.shared.10000');
    queues.noteArrival({ headers: { id: 'one' }, wasLost: true });
    expect(await publishNext('three')).toBe('retry.shared.30000');
    queues.noteArrival({ headers: { id: 'two', 'x-first-death-queue': 'retry.shared.10000' }, wasLost: false });
    expect(await publishNext('four')).toBe('retry.shared.10000');
  });
});

describe('a shared queue whose declare the broker does not answer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('holds up no message for long, nor those of other delays', async () => {
    const unanswered = 'retry.shared.10000';
    const { published, publishOne } = await stage({ isCluster: true, sharedRungsMs: [10_000, 30_000], unanswered });
    void publishOne();
    await vi.advanceTimersByTimeAsync(25_000);
    expect(published).toEqual(['retry.shared.30000']);
    void publishOne();
    await vi.advanceTimersByTimeAsync(0);
    expect(published).toEqual(['retry.shared.30000', 'retry.shared.30000']);
  });
});

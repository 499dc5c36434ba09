import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PublishFailed } from '../publish/publish-failed.js';
import { toQueue } from '../destinations.js';
import { sharedRetryQueue, type QueueSpec } from '../topology.js';
import { SharedQueues } from './shared-queues.js';

const SETTLED_MS = 2_000;
const failed = (code: PublishFailed['code']): PublishFailed => new PublishFailed(code, toQueue('q'));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function stage(
  declares: (queue: string) => Promise<boolean> = () => Promise.resolve(true),
  readSince: () => number = () => -Infinity,
) {
  const declare = vi.fn((queue: QueueSpec) => declares(queue.name));
  const onUnanswered = vi.fn();
  const queueOf = (rungMs: number): QueueSpec => sharedRetryQueue(rungMs);
  const queues = new SharedQueues({ rungsMs: [100, 200, 400], queueOf, declare, readSince, onUnanswered });
  return { declare, onUnanswered, queues };
}

/** When it is settled, ms from now; undefined if not within a minute. */
async function settlesAfter(work: Promise<unknown>): Promise<number | undefined> {
  const began = performance.now();
  let at: number | undefined;
  void work.then(() => (at = performance.now() - began));
  for (let n = 0; n < 600 && at === undefined; n++) await vi.advanceTimersByTimeAsync(100);
  return at;
}

describe('a shared queue', () => {
  it('is the next longer one, and declared before its first use only', async () => {
    const { queues, declare } = stage();
    for (let n = 0; n < 2; n++) {
      const ready = queues.ready(150);
      await settlesAfter(ready);
      expect(await ready).toBe(200);
    }
    expect(declare.mock.calls.map(([{ name }]) => name)).toEqual(['retry.shared.200']);
  });

  it('is declared once, however many wait for it', async () => {
    const { queues, declare } = stage();
    const all = [queues.declareAll(), queues.ready(100), queues.ready(100)];
    await settlesAfter(Promise.all(all));
    expect(declare.mock.calls.filter(([{ name }]) => name === 'retry.shared.100')).toHaveLength(1);
  });

  it('is used once the broker must have written that it is there', async () => {
    const { queues } = stage();
    expect(await settlesAfter(queues.ready(100))).toBeGreaterThanOrEqual(SETTLED_MS);
    expect(await settlesAfter(queues.ready(100))).toBeLessThan(SETTLED_MS);
  });

  it('that stood before a new session is declared again and used at once', async () => {
    const { queues, declare } = stage();
    await settlesAfter(queues.ready(100));
    queues.beginSession();
    expect(await settlesAfter(queues.ready(100))).toBeLessThan(SETTLED_MS);
    expect(declare).toHaveBeenCalledTimes(2);
  });

  it('that was declared just before the session ended counts as new in the next one', async () => {
    const { queues, declare } = stage();
    const ready = queues.ready(100);
    await vi.advanceTimersByTimeAsync(SETTLED_MS / 2);
    queues.beginSession();
    expect(await settlesAfter(ready)).toBeGreaterThanOrEqual(SETTLED_MS);
    expect(declare).toHaveBeenCalledTimes(2);
  });

  it('that could not be declared is left to the publisher to tell of, and declared again next time', async () => {
    const { queues, declare } = stage(() => Promise.resolve(false));
    for (let n = 0; n < 2; n++) expect(await queues.ready(100)).toBe(100);
    expect(declare).toHaveBeenCalledTimes(2);
  });

  it('that is gone is declared anew before it is used', async () => {
    const { queues, declare } = stage();
    await settlesAfter(queues.ready(100));
    queues.noteFailure(100, failed('unroutable'));
    const again = queues.ready(100);
    expect(await settlesAfter(again)).toBeGreaterThanOrEqual(SETTLED_MS);
    expect([await again, declare.mock.calls.length]).toEqual([100, 2]);
  });

  it('that does not answer is left out for ten minutes, for a longer one and never a shorter', async () => {
    const { queues } = stage();
    const rungOf = async (delayMs: number): Promise<number> => {
      const ready = queues.ready(delayMs);
      await settlesAfter(ready);
      return ready;
    };
    expect(queues.noteFailure(200, failed('timeout'))).toBe(true);
    expect([await rungOf(100), await rungOf(150)]).toEqual([100, 400]);
    queues.noteFailure(400, failed('timeout'));
    expect(await rungOf(150)).toBe(200);
    await vi.advanceTimersByTimeAsync(600_000);
    queues.noteFailure(200, failed('timeout'));
    expect(await rungOf(150)).toBe(400);
  });

  it('whose declare is not answered is left out until it is, for a longer one: what waits is held no longer', async () => {
    let answer = (_stands: boolean): void => undefined;
    const owed = new Promise<boolean>((resolve) => (answer = resolve));
    const { queues, declare, onUnanswered } = stage((queue) =>
      queue === 'retry.shared.100' ? owed : Promise.resolve(true),
    );
    const [first, second] = [queues.ready(100), queues.ready(100)];
    expect(await settlesAfter(Promise.all([first, second]))).toBeLessThan(25_000);
    expect([await first, await second, await queues.ready(100)]).toEqual([200, 200, 200]);
    expect(onUnanswered.mock.calls).toEqual([['retry.shared.100']]);
    expect(declare.mock.calls.map(([{ name }]) => name)).toEqual(['retry.shared.100', 'retry.shared.200']);
    answer(true);
    await vi.advanceTimersByTimeAsync(SETTLED_MS);
    expect(await queues.ready(100)).toBe(100);
  });

  it('whose declare is not read for an alarm is waited for: no other would be either', async () => {
    let readSince = Infinity;
    let answer = (_stands: boolean): void => undefined;
    const owed = new Promise<boolean>((resolve) => (answer = resolve));
    const { queues, onUnanswered } = stage(
      () => owed,
      () => readSince,
    );
    const ready = queues.ready(100);
    await vi.advanceTimersByTimeAsync(599_000);
    readSince = performance.now();
    await vi.advanceTimersByTimeAsync(2_000);
    answer(true);
    await settlesAfter(ready);
    expect([await ready, onUnanswered.mock.calls]).toEqual([100, []]);
  });

  it('is used all the same where the broker answers to the declare of none: a publish will tell', async () => {
    const { queues } = stage(() => new Promise(() => undefined));
    const ready = queues.ready(300);
    expect(await settlesAfter(ready)).toBeLessThan(25_000);
    expect(await ready).toBe(400);
  });

  it('whose declare is not answered holds up no other that is declared ahead', async () => {
    const { queues, declare } = stage((queue) =>
      queue === 'retry.shared.100' ? new Promise(() => undefined) : Promise.resolve(true),
    );
    await settlesAfter(queues.declareAll());
    expect(declare).toHaveBeenCalledTimes(3);
  });

  it('that refuses a message, as without its majority, is left out for half a minute, for a longer one', async () => {
    const { queues } = stage();
    await settlesAfter(queues.declareAll());
    await vi.advanceTimersByTimeAsync(SETTLED_MS);
    expect(queues.noteFailure(100, failed('nacked'))).toBe(false);
    expect(await queues.ready(100)).toBe(200);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await queues.ready(100)).toBe(100);
  });

  it('that is gone is left out for half a minute even if its declare fails too, or its messages would go round', async () => {
    const { queues } = stage(() => Promise.resolve(false));
    expect(await queues.ready(100)).toBe(100);
    expect(queues.noteFailure(100, failed('unroutable'))).toBe(false);
    expect([await queues.ready(100), await queues.ready(100)]).toEqual([100, 200]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await queues.ready(100)).toBe(100);
  });

  it('is declared ahead of its use, once in a process', async () => {
    const { queues, declare } = stage();
    await queues.declareAll();
    await vi.advanceTimersByTimeAsync(SETTLED_MS);
    queues.beginSession();
    await queues.declareAll();
    expect(declare.mock.calls.map(([{ name }]) => name)).toEqual([100, 200, 400].map((ms) => `retry.shared.${ms}`));
    expect(await settlesAfter(queues.ready(100))).toBeLessThan(SETTLED_MS);
  });

  it('is not declared ahead any more once one could not be: the broker is away', async () => {
    const { queues, declare } = stage(() => Promise.resolve(false));
    await queues.declareAll();
    expect(declare).toHaveBeenCalledTimes(1);
  });

  it.each(['disconnected', 'blocked', 'no_turn'] as const)('is used on after a publish that was %s', async (code) => {
    const { queues, declare } = stage();
    await settlesAfter(queues.ready(100));
    expect(queues.noteFailure(100, failed(code))).toBe(false);
    expect(await queues.ready(100)).toBe(100);
    expect(declare).toHaveBeenCalledTimes(1);
  });
});

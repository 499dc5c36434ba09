import type { LogRecord } from '@form-webhooks/messages';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RecordGatherer } from './record-gatherer.js';

const LONG_MS = 3_600_000;

const someRecords = (count: number): LogRecord[] =>
  Array.from({ length: count }, () => ({ kind: 'fence' }) as LogRecord);

function gatherer(given: { maxRecords?: number; maxCalls?: number; gatherMs: number }): {
  gatherer: RecordGatherer<void>;
  batches: number[];
} {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const batches: number[] = [];
  const limits = { maxRecords: 100, maxBytes: 1_000_000, maxCalls: 10, ...given };
  const write = (records: readonly LogRecord[]): Promise<void> => Promise.resolve(void batches.push(records.length));
  return { gatherer: new RecordGatherer(limits, write), batches };
}

it('gathers what comes within its time into one batch, each time anew', async () => {
  const { gatherer: gathering, batches } = gatherer({ gatherMs: 50 });
  for (let round = 0; round < 2; round++) {
    const first = gathering.add(someRecords(2));
    await vi.advanceTimersByTimeAsync(40);
    const second = gathering.add(someRecords(3));
    await vi.advanceTimersByTimeAsync(10);
    await Promise.all([first, second]);
  }
  expect(batches).toEqual([5, 5]);
});

it('waits for nobody once all who may call are there', async () => {
  const { gatherer: gathering, batches } = gatherer({ gatherMs: LONG_MS, maxCalls: 3 });
  await Promise.all([1, 2, 3].map(() => gathering.add(someRecords(1))));
  expect(batches).toEqual([3]);
});

it('waits for nobody once it has a full batch', async () => {
  const { gatherer: gathering, batches } = gatherer({ gatherMs: LONG_MS, maxRecords: 5 });
  await Promise.all([gathering.add(someRecords(2)), gathering.add(someRecords(3))]);
  expect(batches).toEqual([5]);
});

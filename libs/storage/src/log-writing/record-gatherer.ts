import { setTimeout as delay } from 'node:timers/promises';
import type { LogRecord } from '@form-webhooks/messages';

interface GatherLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
  /** Calls that can be waiting at a time; when all are here, no other can come. */
  readonly maxCalls: number;
  /** How long the first of a batch waits for company. */
  readonly gatherMs: number;
}

interface Waiting<Result> {
  readonly records: readonly LogRecord[];
  readonly bytes: number;
  readonly since: number;
  readonly settle: PromiseWithResolvers<Result>;
}

/**
 * Turns calls that come at about the same time into few batches, one at a time: while one is being written the next
 * gathers, so batches grow with the load. What waits is bounded by the callers, who hold their messages until they are
 * settled.
 */
export class RecordGatherer<Result> {
  private readonly waiting: Waiting<Result>[] = [];
  private running = false;
  private giveUpBatch: (error: Error) => void = () => undefined;
  private waitingRecords = 0;
  private stopGathering: () => void = () => undefined;

  constructor(
    private readonly limits: GatherLimits,
    private readonly writeBatch: (records: readonly LogRecord[]) => Promise<Result>,
  ) {}

  /** Settles with the outcome of the batch that these records became part of; a call's records stay together. */
  add(records: readonly LogRecord[]): Promise<Result> {
    const settle = withResolvers<Result>();
    const bytes = records.reduce((sum, record) => sum + (record.kind === 'event' ? record.tail.length : 0), 0);
    this.waiting.push({ records, bytes, settle, since: performance.now() });
    this.waitingRecords += records.length;
    if (!this.running) void this.run();
    else if (this.isFull) this.stopGathering();
    return settle.promise;
  }

  /**
   * Waits no longer for the batch that is being written, nor writes what gathers behind it: all of it fails with the
   * error. The write itself may go on, and even succeed; what comes from now on doesn't wait for it.
   */
  giveUp(error: Error): void {
    for (const { settle } of this.waiting.splice(0)) settle.reject(error);
    this.waitingRecords = 0;
    this.stopGathering();
    this.giveUpBatch(error);
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      await this.gather();
      const batch = this.takeBatch();
      if (batch.length === 0) continue;
      try {
        const result = await this.written(batch.flatMap(({ records }) => records));
        for (const { settle } of batch) settle.resolve(result);
      } catch (error) {
        for (const { settle } of batch) settle.reject(error);
      }
    }
    this.running = false;
  }

  private written(records: readonly LogRecord[]): Promise<Result> {
    const givenUp = new Promise<never>((_resolve, reject) => (this.giveUpBatch = reject));
    return Promise.race([this.writeBatch(records), givenUp]);
  }

  private get isFull(): boolean {
    return this.waiting.length >= this.limits.maxCalls || this.waitingRecords >= this.limits.maxRecords;
  }

  private async gather(): Promise<void> {
    const restMs = this.limits.gatherMs - (performance.now() - this.waiting[0]!.since);
    if (restMs <= 0 || this.isFull) return;
    const full = new AbortController();
    this.stopGathering = () => full.abort();
    await delay(restMs, undefined, { signal: full.signal }).catch(() => undefined);
  }

  private takeBatch(): Waiting<Result>[] {
    let records = 0;
    let bytes = 0;
    const end = this.waiting.findIndex((next, index) => {
      records += next.records.length;
      bytes += next.bytes;
      return index > 0 && (records > this.limits.maxRecords || bytes > this.limits.maxBytes);
    });
    const batch = this.waiting.splice(0, end === -1 ? this.waiting.length : end);
    for (const taken of batch) this.waitingRecords -= taken.records.length;
    return batch;
  }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** `Promise.withResolvers`, which Node 20 doesn't have. */
function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}

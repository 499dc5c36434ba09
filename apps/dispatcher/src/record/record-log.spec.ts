import { PublishFailed, TO_LOG } from '@form-webhooks/broker';
import {
  decodeLogBatch,
  encodeLogBatch,
  type EventRecord,
  type FenceRecord,
  type LogRecord,
} from '@form-webhooks/messages';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aDelivery, anAnswer, anEndpoint, anEvent } from '../testing/factories.js';
import { FakePublisher, held } from '../testing/fakes.js';
import { attemptRecordOf, recordOfFinalAttempt } from './delivery-records.js';
import { RecordLog } from './record-log.js';

const GATHER_MS = 100;
const MAX_RECORDS = 500;
const MAX_BYTES = 256 * 1024;

const aFence = (fenceId: string): FenceRecord => ({ kind: 'fence', fenceId, queue: 'dispatcher.due', sentAt: 1 });

const anEventRecord = (tailBytes: number, deliveries: number): EventRecord => {
  const { deliveryId, endpointId } = aDelivery();
  return {
    ...anEvent({ tail: Buffer.alloc(tailBytes, 'x') }),
    kind: 'event',
    fannedOutAt: 1,
    deliveries: Array.from({ length: deliveries }, () => ({ deliveryId, endpointId })),
  };
};

/** @param base64Bytes of an answer that is no text, which is kept as it came */
function anAttempt(excerptLength: number, base64Bytes = 0, letter = 'x'): LogRecord {
  const text = { status: 200, headers: {}, excerpt: letter.repeat(excerptLength), truncated: false };
  const response = base64Bytes === 0 ? text : { ...text, bytes: 'A'.repeat(base64Bytes) };
  const sent = anAnswer(200, { response });
  const next = { kind: 'delivered' } as const;
  const attempt = attemptRecordOf(aDelivery(), { endpoint: anEndpoint(), sent, next });
  return recordOfFinalAttempt(aDelivery(), attempt, next);
}

/** The same record with a number, which tells it from its like. */
const numbered = (record: LogRecord, n: number): LogRecord =>
  record.kind === 'fence' ? { ...record, sentAt: n } : { ...record, acceptedAt: n };
const numberOf = (record: LogRecord): number => (record.kind === 'fence' ? record.sentAt : record.acceptedAt);

function stage() {
  const publisher = new FakePublisher();
  const batches = (): LogRecord[][] => publisher.published.map(({ message }) => decodeLogBatch(message.body));
  return {
    publisher,
    log: new RecordLog(publisher, GATHER_MS),
    batches,
    sizes: () => batches().map((batch) => batch.length),
  };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('RecordLog', () => {
  it('lets only that record fail which a bug keeps from being written', async () => {
    const { log, batches } = stage();
    const broken = {
      ...anAttempt(1),
      attempt: {
        get id(): string {
          throw new TypeError('no such member');
        },
      },
    };
    const records = [log.record(aFence('rec_1')), log.record(broken as never), log.record(aFence('rec_2'))];
    const came = Promise.allSettled(records);
    vi.advanceTimersByTime(GATHER_MS);
    expect((await came).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches()).toMatchObject([[{ fenceId: 'rec_1' }, { fenceId: 'rec_2' }]]);
  });

  it('sends what comes within a few milliseconds in one message, in its order', async () => {
    const { publisher, log, batches } = stage();
    const first = log.record(aFence('rec_1'));
    vi.advanceTimersByTime(GATHER_MS - 1);
    const others = [log.record(anEventRecord(10, 1)), log.record(anAttempt(10))];
    expect(publisher.published).toEqual([]);
    vi.advanceTimersByTime(1);
    await Promise.all([first, ...others]);
    expect(publisher.published).toMatchObject([{ to: TO_LOG }]);
    expect(batches()).toMatchObject([[{ kind: 'fence' }, { kind: 'event' }, { kind: 'delivery' }]]);
  });

  it('gathers anew for each message', () => {
    const { log, sizes } = stage();
    for (const count of [2, 1]) {
      for (let n = 0; n < count; n++) void log.record(aFence('rec_1'));
      vi.advanceTimersByTime(GATHER_MS);
    }
    vi.advanceTimersByTime(10 * GATHER_MS);
    expect(sizes()).toEqual([2, 1]);
  });

  it('gathers for the full time also after a message that was full', () => {
    const { log, sizes } = stage();
    void log.record(aFence('rec_1'));
    vi.advanceTimersByTime(GATHER_MS - 1);
    void log.record(anEventRecord(MAX_BYTES, 1));
    void log.record(aFence('rec_2'));
    vi.advanceTimersByTime(GATHER_MS - 1);
    expect(sizes()).toEqual([1, 1]);
    vi.advanceTimersByTime(1);
    expect(sizes()).toEqual([1, 1, 1]);
  });

  it('resolves once the broker has the message, and not before', async () => {
    const { publisher, log } = stage();
    const confirm = held();
    publisher.confirms = confirm.promise;
    const ended: string[] = [];
    const records = [1, 2].map((n) => log.record(aFence(`rec_${n}`)).then(() => ended.push(`rec_${n}`)));
    await vi.advanceTimersByTimeAsync(GATHER_MS);
    expect(publisher.published).toHaveLength(1);
    expect(ended).toEqual([]);
    confirm.resolve();
    await Promise.all(records);
    expect(ended).toEqual(['rec_1', 'rec_2']);
  });

  it('tells everyone whose record was in a message that a bug kept from being sent', async () => {
    const { publisher, log } = stage();
    publisher.confirms = Promise.reject(new TypeError('no such exchange'));
    const records = Promise.allSettled([log.record(aFence('rec_1')), log.record(aFence('rec_2'))]);
    vi.advanceTimersByTime(GATHER_MS);
    const rejected = { status: 'rejected', reason: new TypeError('no such exchange') };
    expect(await records).toEqual([rejected, rejected]);
  });

  it('sends none of them alone if the broker did not confirm before the process stopped', async () => {
    const { publisher, log, sizes } = stage();
    const failure = new PublishFailed('timeout', { exchange: '', routingKey: 'q' });
    publisher.confirms = Promise.reject(failure);
    const records = Promise.allSettled([log.record(aFence('rec_1')), log.record(aFence('rec_2'))]);
    vi.advanceTimersByTime(GATHER_MS);
    expect(await records).toEqual(Array(2).fill({ status: 'rejected', reason: failure }));
    expect(sizes()).toEqual([2]);
  });

  it.each<[string, LogRecord]>([
    ['attempts', anAttempt(1_024)],
    ['attempts with answers in another script', anAttempt(1_024, 0, 'ż')],
    ['attempts with answers that are no text', anAttempt(1_024, 2_048)],
    ['tails', anEventRecord(10_000, 2)],
    ['fan-outs', anEventRecord(10, 500)],
  ])('sends what has no room for one more, as soon as that comes: %s', (_, record) => {
    const { publisher, log } = stage();
    const size = encodeLogBatch([record]).length;
    for (let n = 0; n <= MAX_RECORDS && publisher.published.length === 0; n++) void log.record(record);
    const sent = publisher.published[0]!.message.body.length;
    expect(sent).toBeLessThanOrEqual(MAX_BYTES);
    expect(sent + size).toBeGreaterThan(MAX_BYTES);
  });

  it('sends as many at once as go into a message, however small they are', () => {
    const { log, sizes } = stage();
    for (let n = 1; n < MAX_RECORDS; n++) void log.record(aFence('rec_1'));
    expect(sizes()).toEqual([]);
    void log.record(aFence('rec_1'));
    expect(sizes()).toEqual([MAX_RECORDS]);
  });

  it('sends one that is larger than a message should be alone and at once, and what came before it first', () => {
    const { log, batches } = stage();
    void log.record(anEventRecord(MAX_BYTES, 1));
    expect(batches()).toMatchObject([[{ kind: 'event' }]]);
    void log.record(aFence('rec_1'));
    void log.record(anEventRecord(MAX_BYTES, 1));
    expect(batches()).toMatchObject([[{ kind: 'event' }], [{ kind: 'fence' }], [{ kind: 'event' }]]);
  });

  it('loses none, keeps the order and bounds each message, whatever sizes come', () => {
    const large = fc.tuple(fc.integer({ min: 1_000, max: MAX_BYTES + 10_000 }), fc.nat({ max: 50 }));
    const small = fc.constantFrom(aFence('rec_1'), anEventRecord(1, 1), anAttempt(0), anAttempt(2_048));
    const burst = fc.oneof(
      large.map((given): LogRecord[] => [anEventRecord(...given)]),
      fc.tuple(small, fc.constantFrom(1, 10, 600)).map(([record, times]) => new Array<LogRecord>(times).fill(record)),
    );
    fc.assert(
      fc.property(fc.array(burst, { maxLength: 4 }), (bursts) => {
        const { publisher, log, batches } = stage();
        const records = bursts.flat().map(numbered);
        for (const one of records) void log.record(one);
        vi.advanceTimersByTime(GATHER_MS);
        const sent = batches();
        expect(sent.flat().map(numberOf)).toEqual(records.map(numberOf));
        for (const [index, { message }] of publisher.published.entries()) {
          const { length } = sent[index]!;
          expect(length).toBeGreaterThan(0);
          expect(length).toBeLessThanOrEqual(MAX_RECORDS);
          if (length > 1) expect(message.body.length).toBeLessThanOrEqual(MAX_BYTES);
        }
      }),
      { numRuns: 20 },
    );
  });
});

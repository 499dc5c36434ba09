import {
  deriveDeliveryId,
  FIRST_POSITION,
  randomAttemptId,
  randomEndpointId,
  randomEventId,
  type FormId,
  type SubmissionId,
} from '@form-webhooks/domain';
import type { DeliveryRecord, EventRecord, LogRecord } from '@form-webhooks/messages';
import { DeliveryLogWriter, EndpointSwitchOff, LogPartitions, type DataSource } from '@form-webhooks/storage';

const RECORDS_PER_MESSAGE = 500;
const MESSAGES_AT_A_TIME = 10;
const ENDPOINTS = Array.from({ length: 200 }, randomEndpointId);

class NobodyIsGone extends EndpointSwitchOff {
  switchOff(): Promise<void> {
    return Promise.resolve();
  }
}

export interface WriterRate {
  readonly records: number;
  readonly recordsPerSecond: number;
  readonly deliveries: number;
  readonly statementsPerDelivery: number;
  readonly bytesPerDelivery: number;
}

/**
 * Writes fan-outs and attempts as they come from dispatchers, and says how fast and at what cost.
 * @param counting is called when it has warmed up: what happens from then on belongs to the records that it counts
 */
export async function writerRate(
  dataSource: DataSource,
  events: number,
  counting: () => void = () => undefined,
): Promise<WriterRate> {
  const writer = new DeliveryLogWriter(dataSource, new LogPartitions(dataSource), new NobodyIsGone());
  await writeAll(writer, recordsOf(200));
  const statements = countStatements(dataSource);
  const bytesBefore = await logBytes(dataSource);
  const records = recordsOf(events);
  counting();
  const began = process.hrtime.bigint();
  await writeAll(writer, records);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  return {
    records: records.length,
    recordsPerSecond: records.length / seconds,
    deliveries: events,
    statementsPerDelivery: statements() / events,
    bytesPerDelivery: ((await logBytes(dataSource)) - bytesBefore) / events,
  };
}

/** Several messages at a time, as the consumer holds them. */
async function writeAll(writer: DeliveryLogWriter, records: readonly LogRecord[]): Promise<void> {
  const messages: LogRecord[][] = [];
  for (let at = 0; at < records.length; at += RECORDS_PER_MESSAGE)
    messages.push(records.slice(at, at + RECORDS_PER_MESSAGE));
  await Promise.all(
    Array.from({ length: MESSAGES_AT_A_TIME }, async () => {
      for (let message = messages.shift(); message; message = messages.shift()) {
        const unwritable = await writer.write(message);
        if (unwritable.length > 0) throw new Error(`not written: ${unwritable[0]!.reason}`);
      }
    }),
  );
}

/** For each event its fan-out to one endpoint, and the attempt that delivers it a little later. */
function recordsOf(events: number): LogRecord[] {
  const fanOuts = Array.from({ length: events }, (_, n) => fanOut(n));
  const attempts = fanOuts.map(attempt);
  const delay = Math.min(events, 50);
  return [
    ...fanOuts.slice(0, delay),
    ...fanOuts.slice(delay).flatMap((record, n) => [record, attempts[n]!]),
    ...attempts.slice(events - delay),
  ];
}

function fanOut(n: number): EventRecord {
  const eventId = randomEventId();
  const endpointId = ENDPOINTS[n % ENDPOINTS.length]!;
  const formId = `f_bench${n % 50}` as FormId;
  const submissionId = `s_bench${n}` as SubmissionId;
  return {
    kind: 'event',
    eventId,
    event: 'submission.created',
    formId,
    submissionId,
    acceptedAt: Date.now(),
    fannedOutAt: Date.now(),
    tail: Buffer.from(
      `"form_id":"${formId}","submission_id":"${submissionId}","fields":{"t":"${'x'.repeat(900)}"},"meta":{}}`,
    ),
    deliveries: [{ deliveryId: deriveDeliveryId(eventId, endpointId), endpointId }],
  };
}

function attempt({ tail: _tail, deliveries, kind: _kind, fannedOutAt: _at, ...event }: EventRecord): DeliveryRecord {
  const now = Date.now();
  return {
    ...event,
    kind: 'delivery',
    ...deliveries[0]!,
    generationStartedAt: event.acceptedAt,
    trigger: 'event',
    position: FIRST_POSITION,
    state: 'delivered',
    reason: null,
    nextAttemptAt: null,
    completedAt: now,
    attempt: {
      id: randomAttemptId(),
      try: 0,
      startedAt: now,
      durationMs: 20 + (now % 300),
      timestamp: Math.floor(now / 1_000),
      url: 'https://hooks.example.com/receive/form-events',
      endpointVersion: 1,
      requestHeaders: {
        host: 'hooks.example.com',
        'content-type': 'application/json',
        'user-agent': 'form-webhooks/1',
        'webhook-signature': `v1,${'A'.repeat(44)}`,
        'x-service-signature': 'a'.repeat(64),
      },
      response: { status: 200, headers: { 'content-type': 'text/plain' }, excerpt: 'ok', truncated: false },
      error: null,
      remoteAddress: '192.0.2.10',
      resent: false,
      outcome: 'delivered',
    },
  };
}

/** Counts what is sent to the database from now on, transactions' own statements included. */
function countStatements(dataSource: DataSource): () => number {
  let count = 0;
  dataSource.setOptions({
    logging: ['query'],
    logger: {
      logQuery: () => void (count += 1),
      logQueryError: () => undefined,
      logQuerySlow: () => undefined,
      logSchemaBuild: () => undefined,
      logMigration: () => undefined,
      log: () => undefined,
    },
  });
  return () => count;
}

async function logBytes(dataSource: DataSource): Promise<number> {
  const rows: { bytes: string }[] = await dataSource.query(
    `SELECT sum(pg_total_relation_size(relid)) AS bytes
     FROM (SELECT relid FROM pg_partition_tree('events') UNION ALL SELECT relid FROM pg_partition_tree('deliveries')
           UNION ALL SELECT relid FROM pg_partition_tree('attempts')) AS parts`,
  );
  return Number(rows[0]!.bytes);
}

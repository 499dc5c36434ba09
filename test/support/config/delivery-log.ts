import {
  buildTail,
  deriveDeliveryId,
  FIRST_POSITION,
  randomAttemptId,
  randomEndpointId,
  randomEventId,
  type FormId,
  type Position,
  type SubmissionId,
} from '@form-webhooks/domain';
import type { AttemptRecord, DeliveryMessage, DeliveryRecord, EventRecord } from '@form-webhooks/messages';
import {
  DEFAULT_LOG_WRITER_OPTIONS,
  DeliveryLogWriter,
  EndpointSwitchOff,
  LogPartitions,
  type DataSource,
  type GoneAnswer,
  type LogWriterOptions,
} from '@form-webhooks/storage';
import { migratedDatabase, openDatabase } from './config-database.js';

/** A migrated database of one's own. */
export async function logDatabase(poolSize = 6): Promise<{ dataSource: DataSource; drop: () => Promise<void> }> {
  const { url, drop } = await migratedDatabase();
  const dataSource = await openDatabase(url, poolSize);
  return {
    dataSource,
    drop: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
      await drop();
    },
  };
}

/** Remembers what it was told, and does nothing. */
export class NotedSwitchOff extends EndpointSwitchOff {
  readonly told: GoneAnswer[] = [];

  switchOff(_tx: unknown, gone: readonly GoneAnswer[]): Promise<void> {
    this.told.push(...gone);
    return Promise.resolve();
  }
}

export const logWriter = (
  dataSource: DataSource,
  options: Partial<LogWriterOptions> = {},
  switchOff: EndpointSwitchOff = new NotedSwitchOff(),
  now?: () => number,
): DeliveryLogWriter => {
  const all = { ...DEFAULT_LOG_WRITER_OPTIONS, gatherMs: 0, ...options };
  return new DeliveryLogWriter(dataSource, new LogPartitions(dataSource), switchOff, all, now);
};

export const FORM = 'f_orders' as FormId;
export const SUBMISSION = 's_1' as SubmissionId;

export function anEvent(given: Partial<EventRecord> = {}): EventRecord {
  const eventId = given.eventId ?? randomEventId();
  const endpointId = randomEndpointId();
  const formId = given.formId ?? FORM;
  const submissionId = given.submissionId ?? SUBMISSION;
  const [fields, meta] = [Buffer.from('{"name":"Ada"}'), Buffer.from('{}')];
  return {
    kind: 'event',
    eventId,
    event: 'submission.created',
    formId,
    submissionId,
    acceptedAt: Date.now(),
    fannedOutAt: given.acceptedAt ?? Date.now(),
    tail: buildTail({ formId, submissionId, fields, meta }),
    deliveries: [{ endpointId, deliveryId: deriveDeliveryId(eventId, endpointId) }],
    ...given,
  };
}

export function anAttempt(given: Partial<AttemptRecord> = {}): AttemptRecord {
  const startedAt = given.startedAt ?? Date.now();
  return {
    id: randomAttemptId(),
    try: 0,
    startedAt,
    durationMs: 12,
    timestamp: Math.floor(startedAt / 1_000),
    url: 'https://receiver.example/hook',
    endpointVersion: 1,
    requestHeaders: { 'content-type': 'application/json' },
    response: { status: 200, headers: { 'content-type': 'text/plain' }, excerpt: 'ok', truncated: false },
    error: null,
    remoteAddress: '192.0.2.7',
    resent: false,
    outcome: 'delivered',
    ...given,
  };
}

/** The record of a step of the event's first delivery: delivered at the first attempt unless told otherwise. */
export function aStep(event: EventRecord, given: Partial<DeliveryRecord> = {}): DeliveryRecord {
  const { eventId, formId, submissionId, acceptedAt } = event;
  const final = given.state === undefined || !['pending', 'retrying'].includes(given.state);
  return {
    kind: 'delivery',
    ...event.deliveries[0]!,
    eventId,
    event: event.event,
    formId,
    submissionId,
    acceptedAt,
    generationStartedAt: acceptedAt,
    trigger: 'event',
    position: FIRST_POSITION,
    state: 'delivered',
    reason: null,
    nextAttemptAt: final ? null : acceptedAt + 10_000,
    completedAt: final ? acceptedAt + 20 : null,
    attempt: anAttempt({ startedAt: acceptedAt }),
    ...given,
  };
}

/** The message of an event's first delivery, as the fan-out made it or at another position. */
export function deliveryOf(event: EventRecord, position: Position = FIRST_POSITION): DeliveryMessage {
  const { eventId, formId, submissionId, acceptedAt, tail, deliveries } = event;
  return {
    ...{ event: event.event, eventId, formId, submissionId, acceptedAt, tail, ...deliveries[0]! },
    ...{ position, trigger: 'event', generationStartedAt: acceptedAt, dueAt: acceptedAt },
  };
}

import {
  ATTEMPT_ID_PATTERN,
  ATTEMPT_OUTCOMES,
  ERROR_CODES,
  isMoment,
  MAX_MOMENT_MS,
  type AttemptTimings,
} from '@form-webhooks/domain';
import type { AttemptRecord, DeliveryRecord, ResponseRecord } from '@form-webhooks/messages';
import { dayOf } from '../database/log-days.js';
import { LogTable, type LogColumns, type RowOf } from './log-table.js';
import {
  isBoolean,
  isCount,
  isHeaders,
  isNumber,
  isOneOf,
  isText,
  matches,
  MAX_INTEGER,
  orNull,
  type MemberChecks,
} from './value-checks.js';

/** An attempt with the record that told of it. */
export interface RecordedAttempt {
  readonly attempt: AttemptRecord;
  readonly record: DeliveryRecord;
}

/** What the API shows as it is, under the same names, to whoever may read the delivery. */
const SHOWN = {
  remote_address: { type: 'text', of: ({ attempt }) => attempt.remoteAddress },
  resent: { type: 'boolean', of: ({ attempt }) => attempt.resent },
  outcome: { type: 'attempt_outcome', of: ({ attempt }) => attempt.outcome },
} satisfies LogColumns<RecordedAttempt>;

/** The order in which timings are kept; never changed. */
const TIMINGS = ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs'] as const satisfies readonly (keyof AttemptTimings)[];

/** All columns of `attempts`; what the API makes of the others stands in its views. */
const COLUMNS = {
  started_at: { type: 'moment', of: ({ attempt }) => attempt.startedAt },
  /** The body isn't stored: it is built anew from its timestamp, unix seconds, and the event's tail. */
  body_timestamp: { type: 'bigint', of: ({ attempt }) => attempt.timestamp },
  duration_ms: { type: 'integer', of: ({ attempt }) => Math.round(attempt.durationMs) },
  generation: { type: 'integer', of: ({ record }) => record.position.generation },
  try: { type: 'integer', of: ({ attempt }) => attempt.try },
  endpoint_version: { type: 'integer', of: ({ attempt }) => attempt.endpointVersion },
  response_status: { type: 'smallint', of: ({ attempt }) => attempt.response?.status ?? null },
  response_truncated: { type: 'boolean', of: ({ attempt }) => attempt.response?.truncated ?? null },
  delivery_id: { type: 'code', of: ({ record }) => record.deliveryId },
  attempt_id: { type: 'code', of: ({ attempt }) => attempt.id },
  url: { type: 'text', of: ({ attempt }) => attempt.url },
  request_headers: { type: 'headers', of: ({ attempt }) => attempt.requestHeaders },
  response_headers: { type: 'headers', of: ({ attempt }) => attempt.response?.headers ?? null, erased: {} },
  response_excerpt: { type: 'text', of: ({ attempt }) => attempt.response?.excerpt ?? null, erased: null },
  /** Base64: who reads it shows bytes, and the rows of a batch travel as JSON. */
  response_bytes: { type: 'code', of: ({ attempt }) => attempt.response?.bytes ?? null, erased: null },
  error_code: { type: 'code', of: ({ attempt }) => attempt.error?.code ?? null },
  error_message: { type: 'text', of: ({ attempt }) => attempt.error?.message ?? null },
  /** Those of `TIMINGS`, one after the other: each of its own would cost every row of a batch a name more. */
  timings: {
    type: 'integers',
    of: ({ attempt: { timings } }) => (timings ? TIMINGS.map((one) => timings[one]) : null),
  },
  ...SHOWN,
} satisfies LogColumns<RecordedAttempt>;

export const ATTEMPTS = new LogTable(COLUMNS, ({ record }: RecordedAttempt) => dayOf(record.acceptedAt));

export type AttemptRow = RowOf<typeof COLUMNS>;
export type ShownAttempt = RowOf<typeof SHOWN>;

const SHOWN_NAMES = Object.keys(SHOWN) as (keyof ShownAttempt)[];

/** The timings that a row has; null in what was written before they were measured. */
export function timingsIn({ timings }: Pick<AttemptRow, 'timings'>): AttemptTimings | null {
  if (timings === null) return null;
  const [dnsMs = null, connectMs = null, tlsMs = null, firstByteMs = null] = timings;
  return { dnsMs, connectMs, tlsMs, firstByteMs };
}

/** What of an attempt is shown as it is. */
export const shownOf = (attempt: AttemptRow): ShownAttempt =>
  Object.fromEntries(SHOWN_NAMES.map((name) => [name, attempt[name]])) as unknown as ShownAttempt;

/** What the members of a record's attempt must be. */
export const ATTEMPT_CHECKS: MemberChecks<AttemptRecord> = {
  id: (id) => matches(id, ATTEMPT_ID_PATTERN),
  try: isCount,
  startedAt: isMoment,
  durationMs: (ms) => isNumber(ms, MAX_INTEGER),
  timestamp: (seconds) => isNumber(seconds, MAX_MOMENT_MS / 1_000),
  url: isText,
  endpointVersion: isCount,
  requestHeaders: isHeaders,
  remoteAddress: orNull(isText),
  resent: isBoolean,
  outcome: (outcome) => isOneOf(ATTEMPT_OUTCOMES, outcome),
  response: orNull(isResponse),
  error: orNull(isError),
  timings: (timings) => timings === undefined || timings === null || areTimings(timings),
};

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function isResponse(value: unknown): boolean {
  const response = value as Partial<ResponseRecord> | undefined;
  return (
    isNumber(response?.status, 999) &&
    isHeaders(response?.headers) &&
    isText(response?.excerpt) &&
    (response?.bytes === undefined || matches(response.bytes, BASE64)) &&
    isBoolean(response?.truncated)
  );
}

function isError(value: unknown): boolean {
  const error = value as Partial<NonNullable<AttemptRecord['error']>> | undefined;
  return isOneOf(ERROR_CODES, error?.code) && isText(error?.message);
}

function areTimings(value: unknown): boolean {
  const timings = value as Partial<Record<string, unknown>>;
  return TIMINGS.every((one) => timings[one] === null || isCount(timings[one]));
}

import { hash, randomFillSync } from 'node:crypto';

declare const brand: unique symbol;
type Brand<Name extends string> = string & { readonly [brand]: Name };

export type FormId = Brand<'FormId'>;
export type SubmissionId = Brand<'SubmissionId'>;
export type EndpointId = Brand<'EndpointId'>;
export type EventId = Brand<'EventId'>;
export type DeliveryId = Brand<'DeliveryId'>;
export type AttemptId = Brand<'AttemptId'>;

/** What any id of ours can be, whatever it names. */
export const ANY_ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

/** Ids that callers give us: the prefix, then 1 to 60 characters of base64url's alphabet. */
export const FORM_ID_PATTERN = /^f_[A-Za-z0-9_-]{1,60}$/;
export const SUBMISSION_ID_PATTERN = /^s_[A-Za-z0-9_-]{1,60}$/;
export const WORKSPACE_ID_PATTERN = /^ws_[A-Za-z0-9_-]{1,60}$/;

/** Ids that we make ourselves; the same alphabet, so that no id can contain the dot that separates signed parts. */
export const ENDPOINT_ID_PATTERN = /^we_[A-Za-z0-9_-]{1,60}$/;
export const EVENT_ID_PATTERN = /^evt_[A-Za-z0-9_-]{1,60}$/;
export const DELIVERY_ID_PATTERN = /^dlv_[A-Za-z0-9_-]{1,60}$/;
export const ATTEMPT_ID_PATTERN = /^att_[A-Za-z0-9_-]{1,60}$/;
export const SECRET_ID_PATTERN = /^sec_[A-Za-z0-9_-]{1,60}$/;
export const REPLAY_ID_PATTERN = /^rpl_[A-Za-z0-9_-]{1,60}$/;

/** A caller's idempotency key: 1 to 128 characters, safe in a header, a log line and a URL. */
export const IDEMPOTENCY_KEY_PATTERN = /^[A-Za-z0-9._:-]{1,128}$/;

const DERIVED_LENGTH = 22;

/** What makes an event the one that it is. */
export interface EventIdentity {
  readonly formId: string;
  readonly event: string;
  readonly submissionId: string;
  /** The caller's idempotency key. */
  readonly key: string;
  /** The envelope's tail as accepted. */
  readonly tail: Buffer;
}

/**
 * The id of an event that its caller gave a key. Its content is part of it: whatever differs in a byte is another event,
 * so that a key used for two things loses neither of them, and a repeat is what says the same once more.
 */
export function deriveEventId({ formId, event, submissionId, key, tail }: EventIdentity): EventId {
  return `evt_${hashOf(formId, event, submissionId, key, hash('sha256', tail, 'base64url'))}` as EventId;
}

/** The id of a delivery, which is one event for one endpoint: the same after a repeated call, redelivery or crash. */
export function deriveDeliveryId(eventId: string, endpointId: string): DeliveryId {
  return `dlv_${hashOf(eventId, endpointId)}` as DeliveryId;
}

export const randomEventId = (): EventId => randomId('evt') as EventId;
export const randomAttemptId = (): AttemptId => randomId('att') as AttemptId;
export const randomEndpointId = (): EndpointId => randomId('we') as EndpointId;

const RANDOM_ID_BYTES = 16;
/** Random bytes are asked for many ids at a time: a call per id costs more than the id. Each byte is used once. */
const pool = Buffer.alloc(256 * RANDOM_ID_BYTES);
let poolUsed = pool.length;

/** An opaque id with 128 random bits behind the given prefix. */
export function randomId(prefix: string): string {
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const from = poolUsed;
  poolUsed += RANDOM_ID_BYTES;
  return `${prefix}_${pool.toString('base64url', from, poolUsed)}`;
}

/** SHA-256 over the parts joined by NUL (which no part can contain), base64url, first 22 characters (132 bits). */
function hashOf(...parts: string[]): string {
  return hash('sha256', parts.join('\0'), 'base64url').slice(0, DERIVED_LENGTH);
}

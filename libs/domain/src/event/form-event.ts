import type { EventName } from '../enumerations.js';
import { buildTail } from './envelope.js';
import { deriveEventId, randomEventId, type EventId, type FormId, type SubmissionId } from '../ids.js';

/** The members that a form service can send; the order is that of the documentation. */
export const FORM_EVENT_MEMBERS = [
  'event',
  'form_id',
  'submission_id',
  'fields',
  'payment',
  'meta',
  'idempotency_key',
] as const;
export type FormEventMember = (typeof FORM_EVENT_MEMBERS)[number];

/** What happened on a form, found valid. `fields`, `payment` and `meta` are the texts that the form service sent. */
export interface FormEvent {
  readonly event: EventName;
  readonly formId: FormId;
  readonly submissionId: SubmissionId;
  readonly fields: Buffer;
  readonly payment?: Buffer;
  readonly meta: Buffer;
  /** The caller's name for this occurrence: the same key with the same content is the same event. */
  readonly key?: string;
}

/** What `meta` reads when the form service sends none. */
export const EMPTY_META = Buffer.from('{}');

/**
 * The event's identity: derived from the caller's key and the content, so that a repeat is the same event; random
 * without a key.
 * @param tail as `tailOf` made it
 */
export function identify({ key, formId, event, submissionId }: FormEvent, tail: Buffer): EventId {
  return key === undefined ? randomEventId() : deriveEventId({ formId, event, submissionId, key, tail });
}

/** The envelope's tail of an event. */
export const tailOf = (event: FormEvent): Buffer => buildTail(event);

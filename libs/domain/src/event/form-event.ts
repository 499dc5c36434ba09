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
  /** The caller's name for this occurrence: the same key means the same event. */
  readonly key?: string;
}

/** What `meta` reads when the form service sends none. */
export const EMPTY_META = Buffer.from('{}');

/** The event's identity: derived from the caller's key, so that a repeat is the same event; random without one. */
export function identify(event: FormEvent): EventId {
  return event.key === undefined ? randomEventId() : deriveEventId(event.formId, event.event, event.key);
}

/** The envelope's tail of an event. */
export const tailOf = (event: FormEvent): Buffer => buildTail(event);

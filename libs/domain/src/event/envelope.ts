import type { EventName } from '../enumerations.js';
import type { DeliveryId } from '../ids.js';

/**
 * The body that a receiver gets: a head written anew for each attempt and the tail, which never changes and is
 * carried as the bytes that ingest cut out of the event. No JSON work: the bytes signed are the bytes sent.
 */
export function sealEnvelope(event: EventName, deliveryId: DeliveryId, unixSeconds: number, tail: Buffer): Buffer {
  const head = `{"event":"${event}","delivery_id":"${deliveryId}","timestamp":${unixSeconds},`;
  return Buffer.concat([Buffer.from(head, 'latin1'), tail]);
}

/** The raw texts of an event's members, exactly as the form service sent them. */
export interface TailParts {
  readonly formId: string;
  readonly submissionId: string;
  readonly fields: Buffer;
  readonly payment?: Buffer;
  readonly meta: Buffer;
}

/**
 * The envelope's tail: `"form_id":…,"submission_id":…,"fields":…,["payment":…,]"meta":…}`. Ids are quoted without
 * escaping because their patterns allow no character that needs it.
 */
export function buildTail(parts: TailParts): Buffer {
  const ids = `"form_id":"${parts.formId}","submission_id":"${parts.submissionId}","fields":`;
  return Buffer.concat([
    Buffer.from(ids, 'latin1'),
    parts.fields,
    ...(parts.payment ? [Buffer.from(',"payment":'), parts.payment] : []),
    Buffer.from(',"meta":'),
    parts.meta,
    Buffer.from('}'),
  ]);
}

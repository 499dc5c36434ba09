import type { Headers } from '@form-webhooks/messages';
import type { OutgoingMessage } from './outgoing-message.js';
import type { IncomingMessage } from '../consume/verdict.js';

const MAX_KEPT_HEADER_BYTES = 16 * 1024;

/** Set on a message that was put back to work once after crashes. */
export const UNPARKED = 'unparked';

/**
 * The headers that go with a message when it is moved to another queue. Tables and arrays in a foreign message's
 * headers are left out: they mean nothing here and can be of any size. So are the broker's own headers, such as the
 * count of deliveries, and what is beyond 16 KiB: with headers larger than a frame the copy could never be published,
 * and its message would be held for ever.
 */
export function ownHeaders(headers: Headers): Record<string, string | number> {
  const kept: Record<string, string | number> = {};
  let room = MAX_KEPT_HEADER_BYTES;
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('x-') || (typeof value !== 'string' && typeof value !== 'number')) continue;
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(String(value));
    if (bytes > room) continue;
    room -= bytes;
    kept[name] = value;
  }
  return kept;
}

/** Body and properties of a message that is moved. Whoever moves it decides about the headers. */
export function messageProperties({
  body,
  messageId,
  contentType,
  contentEncoding,
}: Pick<IncomingMessage, 'body' | 'messageId' | 'contentType' | 'contentEncoding'>): Omit<OutgoingMessage, 'headers'> {
  return {
    body,
    ...(messageId === undefined ? {} : { messageId }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(contentEncoding === undefined ? {} : { contentEncoding }),
  };
}

/**
 * The properties of a message that goes back to work which say who sent it and when, so that it is told again if it is
 * parked once more. As `app_id`: the broker takes no other `user_id` than our own.
 */
export function originProperties({
  sentAt,
  sentBy,
}: Pick<IncomingMessage, 'sentAt' | 'sentBy'>): Pick<OutgoingMessage, 'appId' | 'timestamp'> {
  return {
    ...(sentAt === undefined || sentAt < 1_000 ? {} : { timestamp: Math.floor(sentAt / 1_000) }),
    ...(sentBy === undefined || Buffer.byteLength(sentBy) > MAX_APP_ID_BYTES ? {} : { appId: sentBy }),
  };
}

/** What a property can hold; a stranger's header can be longer. */
const MAX_APP_ID_BYTES = 255;

/** What a parked message's own headers begin with: they go when it goes back to work, and nobody else sets them. */
const PARKED = 'parked_';

/**
 * The headers of a message that is put aside: why and when, and who sent it when. The copy is ours, so the properties in
 * which its publisher said so would be lost.
 */
export const parkedHeaders = (
  { headers, sentAt, sentBy }: Pick<IncomingMessage, 'headers' | 'sentAt' | 'sentBy'>,
  reason: string,
): Record<string, string | number> => ({
  ...withoutParking(ownHeaders(headers)),
  parked_reason: reason,
  parked_at: Date.now(),
  ...(sentAt === undefined ? {} : { parked_sent_at: sentAt }),
  ...(sentBy === undefined ? {} : { parked_sent_by: sentBy }),
});

/** A message's headers without those that it has only while it is parked. */
export const withoutParking = (headers: Readonly<Record<string, string | number>>): Record<string, string | number> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(PARKED)));

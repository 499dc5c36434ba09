import type { Headers } from '@form-webhooks/messages';
import type { OutgoingMessage } from './safe-publisher.js';
import type { IncomingMessage } from '../consume/verdict.js';

const MAX_KEPT_HEADER_BYTES = 16 * 1024;

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

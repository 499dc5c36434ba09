import type { GetMessage } from 'amqplib';
import { originOf } from '../consume/origin.js';
import { messageProperties, ownHeaders, withoutParking } from '../publish/forwarding.js';
import type { OutgoingMessage } from '../publish/outgoing-message.js';

/** A parked message as an operator sees it: ids and the reason, never the body. */
export interface ParkedMessage {
  readonly queue: string;
  readonly reason: string;
  readonly bytes: number;
  /** Without those that it has only while it is parked. */
  readonly headers: Readonly<Record<string, string | number>>;
  readonly messageId: string | null;
  /** When it was parked, ms since the epoch; null for what an older version parked. */
  readonly parkedAt: number | null;
  /** When and by whom it was published, if its publisher said so. */
  readonly sentAt: number | null;
  readonly sentBy: string | null;
}

/** Whether a message is about the event or the delivery of this id, or has it as its `message_id`. */
export const isNamedBy = ({ headers, messageId }: ParkedMessage, id: string): boolean =>
  [headers['event_id'], headers['delivery_id'], messageId].includes(id);

/** The properties with which a message is published once more, with this body. */
export function propertiesOf({ properties }: GetMessage, body: Buffer): Omit<OutgoingMessage, 'headers'> {
  const own = properties as { messageId?: string; contentType?: string; contentEncoding?: string };
  return messageProperties({ ...own, body });
}

/** What an operator is shown of a message. */
export function describeParked(queue: string, { content, properties }: GetMessage): ParkedMessage {
  const headers = ownHeaders(properties.headers ?? {});
  const { parked_reason: reason = 'unknown', parked_at: parkedAt, parked_sent_at, parked_sent_by } = headers;
  const { messageId } = properties as { readonly messageId?: unknown };
  const told = originOf({ ...properties });
  const sentBy = parked_sent_by ?? told.sentBy;
  return {
    ...{ queue, reason: String(reason), bytes: content.length, headers: withoutParking(headers) },
    messageId: typeof messageId === 'string' ? messageId : null,
    parkedAt: momentOf(parkedAt),
    sentAt: momentOf(parked_sent_at ?? told.sentAt),
    sentBy: sentBy === undefined ? null : String(sentBy),
  };
}

/** What a header says of a moment; a stranger's can say anything. */
const momentOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(new Date(value).getTime()) ? value : null;

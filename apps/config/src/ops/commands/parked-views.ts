import { MOST_SEARCHED, type ParkedMessage, type ParkedQueue } from '@form-webhooks/broker';
import { rfc3339 } from '@form-webhooks/domain';

/** How many messages a queue has. */
export const lineOfQueue = ({ queue, messages }: ParkedQueue): string => `${String(messages).padStart(8)}  ${queue}`;

/** One message for programs, as the API spells its members. */
export const documentOf = ({ queue, reason, bytes, headers, messageId, parkedAt, sentAt, sentBy }: ParkedMessage) => ({
  ...{ queue, reason, bytes, headers, message_id: messageId },
  ...{ parked_at: momentIf(parkedAt), sent_at: momentIf(sentAt), sent_by: sentBy },
});

/** One message in one line. */
export function lineOf(message: ParkedMessage): string {
  const { queue, reason, parkedAt, sentAt, sentBy, bytes } = message;
  return [
    `${queue}: ${reason}`,
    ...idsOf(message),
    `sent ${momentOf(sentAt)} by ${sentBy ?? '-'}`,
    `parked ${momentOf(parkedAt)}`,
    `${bytes} bytes`,
  ].join('  ');
}

/** What it is about, as far as it says so. */
const idsOf = ({ messageId, headers }: ParkedMessage): string[] => [
  ...(messageId === null ? [] : [`message_id ${messageId}`]),
  ...['event_id', 'delivery_id', 'form_id'].flatMap((name) =>
    headers[name] === undefined ? [] : [`${name} ${headers[name]}`],
  ),
];

/** What tells it from others while it is settled: its ids, or of one that has none, as a record for the log, its reason. */
export const nameOf = (message: ParkedMessage): string => idsOf(message).join('  ') || message.reason;

/** One message with all its headers. */
export const detailsOf = (message: ParkedMessage): string[] => [
  lineOf(message),
  ...Object.entries(message.headers).map(([name, value]) => `  ${name}: ${value}`),
];

/** Whether a search came to its limit: what it did not find can be further back then. */
export const reach = (looked: number, most = MOST_SEARCHED) => ({ search_cut: looked >= most });

/** The same for people. */
export const reachLines = (queue: string, looked: number, most = MOST_SEARCHED): string[] =>
  reach(looked, most).search_cut ? [`only the first ${most} messages of ${queue} were looked at`] : [];

const momentIf = (ms: number | null): string | null => (ms === null ? null : rfc3339(ms));
const momentOf = (ms: number | null): string => momentIf(ms) ?? '-';

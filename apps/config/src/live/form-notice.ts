import { LIVE_TOPICS, type LiveTopic } from '@form-webhooks/http-api';
import { MAX_NOTICE_BYTES } from '@form-webhooks/storage';

/** What changed of which forms; `everything` if that is not known. */
export type FormTopics = ReadonlyMap<string, ReadonlySet<LiveTopic>> | 'everything';

const EVERYTHING = '*';

/** The texts of as few notices as hold all forms: `f_contact:deliveries+replays`, separated by commas. */
export function writeNotices(changed: FormTopics): string[] {
  if (changed === 'everything') return [EVERYTHING];
  const notices: string[] = [];
  let text = '';
  for (const [formId, topics] of changed) {
    const entry = `${formId}:${[...topics].join('+')}`;
    if (text !== '' && text.length + 1 + entry.length > MAX_NOTICE_BYTES) {
      notices.push(text);
      text = '';
    }
    text += text === '' ? entry : `,${entry}`;
  }
  return text === '' ? notices : [...notices, text];
}

/**
 * Before the name of a credential that has ended. A replica of an earlier release takes it for a form of which nothing
 * changed.
 */
const ENDED = '!';

/** Tells that a credential has ended, by a name as `credentialsOf` gives it. */
export const writeEnd = (credential: string): string => ENDED + credential;

/** @returns the credential that has ended; undefined for a notice of what changed */
export const readEnd = (text: string): string | undefined => (text.startsWith(ENDED) ? text.slice(1) : undefined);

/** What a replica of another release may say too: topics that are not known are left out. */
export function readNotice(text: string): FormTopics {
  if (text === EVERYTHING) return 'everything';
  return new Map(text.split(',').map((entry) => readEntry(entry)));
}

function readEntry(entry: string): [string, ReadonlySet<LiveTopic>] {
  const [formId = '', topics = ''] = entry.split(':');
  const told = topics.split('+');
  return [formId, new Set(LIVE_TOPICS.filter((topic) => told.includes(topic)))];
}

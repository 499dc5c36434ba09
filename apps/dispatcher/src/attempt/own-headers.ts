import { MASKED_VALUE } from '@form-webhooks/domain';
import type { SentAttempt } from '@form-webhooks/sender';

/** Headers that the endpoint's owner had added, opened: values by lower-case names. */
export type OwnHeaders = Readonly<Record<string, string>>;

/** A shorter value could be a part of any text by chance, and a text full of gaps shows nothing any more. */
const MIN_SEARCHED = 8;

/**
 * The attempt as it may leave this process: without the values of the owner's headers, which the log shows to whoever
 * may read deliveries. They are masked among the request's headers, and where the receiver's answer repeats one whole.
 */
export function withoutValues(sent: SentAttempt, own: OwnHeaders): SentAttempt {
  const names = Object.keys(own);
  if (names.length === 0) return sent;
  const { requestHeaders, response } = sent;
  const values = Object.values(own).filter((value) => value.length >= MIN_SEARCHED);
  const masked = (text: string): string => values.reduce((left, value) => left.replaceAll(value, MASKED_VALUE), text);
  const answer = response && {
    ...response,
    headers: mapValues(response.headers, (value) => masked(value)),
    excerpt: masked(response.excerpt),
  };
  return {
    ...sent,
    requestHeaders: mapValues(requestHeaders, (value, name) => (names.includes(name) ? MASKED_VALUE : value)),
    response: answer,
  };
}

const mapValues = (
  record: Readonly<Record<string, string>>,
  map: (value: string, name: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));

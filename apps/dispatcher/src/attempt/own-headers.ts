import { MASKED_VALUE } from '@form-webhooks/domain';
import type { SentAttempt, SentResponse } from '@form-webhooks/sender';

/** Headers that the endpoint's owner had added, opened: values by lower-case names. */
export type OwnHeaders = Readonly<Record<string, string>>;

/** A shorter value could be a part of any text by chance, and a text full of gaps shows nothing any more. */
const MIN_SEARCHED = 8;

/**
 * The attempt as it may leave this process: without the values of the owner's headers, which the log shows to whoever
 * may read deliveries. They are masked among the request's headers, and where the receiver's answer repeats one or its
 * credential.
 */
export function withoutValues(sent: SentAttempt, own: OwnHeaders): SentAttempt {
  const names = Object.keys(own);
  if (names.length === 0) return sent;
  const { requestHeaders, response } = sent;
  return {
    ...sent,
    requestHeaders: mapValues(requestHeaders, (value, name) => (names.includes(name) ? MASKED_VALUE : value)),
    response: response && maskedAnswer(response, maskOf(secretTexts(Object.values(own)))),
  };
}

const maskOf =
  (secret: readonly string[]) =>
  (text: string): string =>
    secret.reduce(
      withoutCutEnd,
      secret.reduce((left, value) => left.replaceAll(value, MASKED_VALUE), text),
    );

/** Bytes in which a value stands can't be masked without ceasing to be what came. */
function maskedAnswer(response: SentResponse, masked: (text: string) => string): SentResponse {
  const { bytes, ...told } = response;
  const excerpt = masked(response.excerpt);
  const shown = { ...told, headers: mapValues(response.headers, (value) => masked(value)), excerpt };
  return bytes === undefined || excerpt !== response.excerpt ? shown : { ...shown, bytes };
}

/**
 * What must not be shown, the longest first: each value, the credential in it that follows a scheme such as `Bearer`, and
 * both as JSON and URLs write them.
 */
function secretTexts(values: readonly string[]): string[] {
  const texts = values
    .flatMap((value) => [value, value.slice(value.lastIndexOf(' ') + 1)])
    .flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)])
    .filter((text) => text.length >= MIN_SEARCHED);
  return [...new Set(texts)].sort((a, b) => b.length - a.length);
}

/** Only the beginning of an answer is kept, and it may end within a value. */
function withoutCutEnd(text: string, value: string): string {
  // Rarely anything: what ends with a part of the value has its beginning.
  if (!text.includes(value.slice(0, MIN_SEARCHED), text.length - value.length + 1)) return text;
  const length = overlapOf(text, value);
  return length < MIN_SEARCHED ? text : `${text.slice(0, -length)}${MASKED_VALUE}`;
}

/**
 * How much of a value's beginning, less than all of it, is the end of a text. No character of either is looked at more
 * than a few times (Knuth, Morris and Pratt): both may be of one party that wants to keep this process from its work.
 */
export function overlapOf(text: ArrayLike<string>, value: ArrayLike<string>): number {
  const most = Math.max(0, Math.min(text.length, value.length - 1));
  // Of the beginning up to each character: the longest shorter beginning with which it ends.
  const within = new Uint32Array(most);
  const longer = (matched: number, next: string): number => {
    let length = matched;
    while (length > 0 && value[length] !== next) length = within[length - 1]!;
    return value[length] === next ? length + 1 : 0;
  };
  for (let n = 1; n < most; n++) within[n] = longer(within[n - 1]!, value[n]!);
  let matched = 0;
  for (let n = text.length - most; n < text.length; n++) matched = longer(matched, text[n]!);
  return matched;
}

const mapValues = (
  record: Readonly<Record<string, string>>,
  map: (value: string, name: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));

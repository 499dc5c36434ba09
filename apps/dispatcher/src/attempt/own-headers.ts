import { MASKED_VALUE } from '@form-webhooks/domain';
import type { SentAttempt, SentResponse } from '@form-webhooks/sender';

/** Headers that the endpoint's owner had added, opened: values by lower-case names. */
export type OwnHeaders = Readonly<Record<string, string>>;

/** A shorter value could be a part of any text by chance, and a text full of gaps shows nothing any more. */
const MIN_SEARCHED = 8;

/**
 * The attempt as it may leave this process: without the values of the owner's headers, which the log shows to whoever
 * may read deliveries. They are masked among the request's headers, and where the receiver's answer repeats one or its credential.
 */
export function withoutValues(sent: SentAttempt, own: OwnHeaders): SentAttempt {
  const names = Object.keys(own);
  if (names.length === 0) return sent;
  const { requestHeaders, response } = sent;
  const secret = secretTexts(Object.values(own));
  const masked = (text: string): string =>
    secret.reduce(
      withoutCutEnd,
      secret.reduce((left, value) => left.replaceAll(value, MASKED_VALUE), text),
    );
  const answer = response && maskedAnswer(response, masked);
  return {
    ...sent,
    requestHeaders: mapValues(requestHeaders, (value, name) => (names.includes(name) ? MASKED_VALUE : value)),
    response: answer,
  };
}

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
  for (let length = Math.min(text.length, value.length - 1); length >= MIN_SEARCHED; length--) {
    if (text.endsWith(value.slice(0, length))) return `${text.slice(0, -length)}${MASKED_VALUE}`;
  }
  return text;
}

const mapValues = (
  record: Readonly<Record<string, string>>,
  map: (value: string, name: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));

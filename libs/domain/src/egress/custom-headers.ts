/** Headers that one endpoint's requests can carry besides ours. */
export const MAX_CUSTOM_HEADERS = 20;
export const MAX_HEADER_NAME = 64;
export const MAX_HEADER_VALUE = 1_024;

/** What is shown in place of a header's value wherever a request is shown. */
export const MASKED_VALUE = '***';

/** `token` of RFC 9110. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible characters that one byte holds, blanks only between them; no line break can begin another header. */
const VALUE = /^[\x21-\x7e\xa1-\xff]([\x20-\x7e\xa1-\xff]*[\x21-\x7e\xa1-\xff])?$/;

/**
 * What belongs to the connection, says what the body is, or is ours; and by which a receiver behind a proxy is told who
 * calls, which nobody but that proxy should say. Cookies are a state, and a receiver's are never kept.
 */
const REFUSED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-real-ip',
]);
const REFUSED_PREFIXES = ['webhook-', 'proxy-', 'x-forwarded-'];

/** Why a header can't be one of an endpoint's; the message is a sentence without its subject, for the form's owner. */
export interface HeaderFault {
  readonly code: 'format' | 'not_allowed' | 'too_long';
  readonly message: string;
}

/** @param reserved names in lower case that this installation uses itself, such as that of the signature */
export function faultOfHeaderName(name: string, reserved: ReadonlySet<string>): HeaderFault | undefined {
  if (name.length > MAX_HEADER_NAME) {
    return { code: 'too_long', message: `must be a name of at most ${MAX_HEADER_NAME} characters` };
  }
  if (!NAME.test(name)) {
    return { code: 'format', message: 'must be a header name: letters, digits and hyphens, such as X-Api-Key' };
  }
  const lower = name.toLowerCase();
  if (!REFUSED.has(lower) && !reserved.has(lower) && !REFUSED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return undefined;
  }
  return { code: 'not_allowed', message: 'can not be set: the connection, the signature or this service uses it' };
}

/** The message never repeats the value. */
export function faultOfHeaderValue(value: string): HeaderFault | undefined {
  if (value.length > MAX_HEADER_VALUE) {
    return { code: 'too_long', message: `must have a value of at most ${MAX_HEADER_VALUE} characters` };
  }
  if (VALUE.test(value)) return undefined;
  return {
    code: 'format',
    message: 'must have a value of visible ASCII or Latin-1 characters, with blanks only between them',
  };
}

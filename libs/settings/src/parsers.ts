import { formatDuration, parseCidrs, parseDuration } from '@form-webhooks/domain';
import { readNamedFile } from './named-file.js';

/** More than all the world's authorities have. */
const MAX_FILE_BYTES = 16_777_216;

/** A whole number within the bounds, both included. */
export const asInteger =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^-?\d{1,15}$/.test(text) || value < min || value > max) {
      throw new RangeError(`"${text}" is not a whole number from ${min} to ${max}`);
    }
    return value;
  };

/** Milliseconds of a duration such as `100ms`, `10s`, `24h`, within the bounds. */
export const asDuration =
  (minMs: number, maxMs: number) =>
  (text: string): number => {
    const ms = parseDuration(text);
    if (ms < minMs || ms > maxMs) {
      throw new RangeError(`"${text}" is outside ${formatDuration(minMs)} to ${formatDuration(maxMs)}`);
    }
    return ms;
  };

/** Parts separated by commas; blanks around them and empty parts are dropped. */
export const asList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Addresses and CIDRs separated by commas, as they were written, since that is how they are told. */
export function asRanges(text: string): readonly string[] {
  parseCidrs(text);
  return asList(text);
}

export const asText = (text: string): string => text;

/** The path of a file that can be read, up to 16 MiB. Who reads it later could not say which setting it is of. */
export function asReadableFile(file: string): string {
  readNamedFile(file, MAX_FILE_BYTES);
  return file;
}

/** Refuses a URL of which a parameter names a file that can't be read. @throws Error that names the file alone */
export function checkFilesIn(url: string, ...parameters: readonly string[]): void {
  const { searchParams } = new URL(url);
  for (const file of parameters.flatMap((name) => searchParams.getAll(name))) asReadableFile(file);
}

/** One of the given words. */
export const asOneOf =
  <T extends string>(...words: readonly T[]) =>
  (text: string): T => {
    if (!words.includes(text as T)) throw new RangeError(`"${text}" is none of ${words.join(', ')}`);
    return text as T;
  };

/** Clients decode these, and fail at the first connection where they can't. */
function checkEscapes({ username, password }: URL): void {
  try {
    decodeURIComponent(username + password);
  } catch {
    throw new RangeError('its user or password has a % that begins no percent-encoding: write %25 for a %');
  }
}

/** A URL with one of the given schemes, as it was written. */
export const asUrl =
  (...schemes: readonly string[]) =>
  (text: string): string => {
    const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : undefined;
    if (scheme === undefined || !schemes.includes(scheme)) {
      // The value may hold a password: it is not repeated.
      throw new RangeError(`not a URL that starts with ${schemes.map((name) => `${name}://`).join(' or ')}`);
    }
    checkEscapes(new URL(text));
    return text;
  };

/** One or more such URLs separated by commas, as they were written. */
export const asUrls =
  (...schemes: readonly string[]) =>
  (text: string): string => {
    for (const part of text.split(',')) asUrl(...schemes)(part.trim());
    return text;
  };

/** A moment with its offset, such as `2026-11-29T07:30:00Z`, in ms since the epoch; null for an empty text. */
export const asMomentIfAny = (text: string): number | null => {
  if (text === '') return null;
  const ms = Date.parse(text);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(ms)) {
    throw new RangeError(`"${text}" is no moment like 2026-11-29T07:30:00Z`);
  }
  return ms;
};

/** A part of the whole, 0 to 1. */
export function asShare(text: string): number {
  const value = Number(text);
  if (!/^\d(\.\d{1,9})?$/.test(text) || value > 1) throw new RangeError(`"${text}" is not a number from 0 to 1`);
  return value;
}

/** `name=value` pairs separated by commas, the values percent-encoded. What is wrong is not repeated: it may be a token. */
export function asHeaders(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    asList(text).map((pair, at) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,128})=([\x21-\x7e]*)$/.exec(pair) ?? [];
      if (name === undefined) throw new RangeError(`pair ${at + 1} is not name=value`);
      try {
        return [name, decodeURIComponent(value!)];
      } catch {
        throw new RangeError(`the value of ${name} is not percent-encoded`);
      }
    }),
  );
}

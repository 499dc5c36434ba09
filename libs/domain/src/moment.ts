/** The end of the year 9999, ms since the epoch: neither RFC 3339 nor a day of the log can write a later moment. */
export const MAX_MOMENT_MS = 253_402_300_799_999;

/** Whether a value is a moment of the years 1970 to 9999, in whole ms since the epoch. */
export const isMoment = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_MOMENT_MS;

let latestSecond = NaN;
let latestText = '';

/**
 * A moment in UTC with three digits of a second, as `toISOString` writes it. Moments of one second come one after the
 * other, in each line of the log and each message: only their milliseconds are written anew.
 */
export function rfc3339(ms: number): string {
  const second = Math.floor(ms / 1_000);
  if (second !== latestSecond) {
    latestText = new Date(second * 1_000).toISOString().slice(0, -'000Z'.length);
    latestSecond = second;
  }
  return `${latestText}${String(Math.floor(ms) - second * 1_000).padStart(3, '0')}Z`;
}

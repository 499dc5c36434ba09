/** The end of the year 9999, ms since the epoch: neither RFC 3339 nor a day of the log can write a later moment. */
export const MAX_MOMENT_MS = 253_402_300_799_999;

/** Whether a value is a moment of the years 1970 to 9999, in whole ms since the epoch. */
export const isMoment = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_MOMENT_MS;

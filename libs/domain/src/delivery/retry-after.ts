const SECONDS = /^\d+(?:\.\d+)?$/;
const IMF_FIXDATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** What a greater number counts as; far beyond any delay that can be made. */
const MAX_SECONDS = 999_999_999;
/** A date further ahead is no wait that anybody means: a placeholder, or a clock gone wrong. */
const MAX_DATE_AHEAD_MS = 7 * 86_400_000;

/**
 * Milliseconds that a receiver asks to be left alone, from its `Retry-After` header (RFC 9110, 10.2.3): whole seconds
 * or an IMF-fixdate up to seven days ahead; a past date is 0. A decimal number, which receivers send although the RFC
 * has none, is rounded up to a second. Anything else, such as `1e9`, `-5` or `tomorrow`, is ignored (undefined).
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (SECONDS.test(value)) return Math.min(Math.ceil(Number(value)), MAX_SECONDS) * 1_000;
  if (!IMF_FIXDATE.test(value)) return undefined;
  const at = Date.parse(value);
  // `Date.parse` takes 31 Feb for 3 Mar; a wrong name of the day does no harm.
  if (Number.isNaN(at) || new Date(at).toUTCString().slice(5) !== value.slice(5)) return undefined;
  return at - nowMs > MAX_DATE_AHEAD_MS ? undefined : Math.max(0, at - nowMs);
}

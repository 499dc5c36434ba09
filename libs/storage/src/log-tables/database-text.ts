const REFUSED = /[\0\p{Surrogate}]/u;
const ALL_REFUSED = new RegExp(REFUSED, 'gu');

/**
 * Text that PostgreSQL takes: it refuses NUL, and UTF-8 has no half of a surrogate pair. Both become U+FFFD. What a
 * receiver sends must never be what keeps its own attempt out of the log.
 */
export function databaseText(text: string): string {
  return REFUSED.test(text) ? text.replace(ALL_REFUSED, '\ufffd') : text;
}

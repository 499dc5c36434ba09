const REFUSED = /[\0\p{Surrogate}]/u;
const ALL_REFUSED = new RegExp(REFUSED, 'gu');

/** Whether PostgreSQL takes a text as it is: it refuses NUL, and UTF-8 has no half of a surrogate pair. */
export const isDatabaseText = (text: string): boolean => !REFUSED.test(text);

/**
 * Text that PostgreSQL takes: what it refuses becomes U+FFFD. What a receiver sends must never be what keeps its own
 * attempt out of the log.
 */
export const databaseText = (text: string): string =>
  isDatabaseText(text) ? text : text.replace(ALL_REFUSED, '\ufffd');

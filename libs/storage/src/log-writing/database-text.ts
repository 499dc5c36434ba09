const LONE_SURROGATES = /\p{Surrogate}/gu;

/**
 * Text that PostgreSQL takes: it refuses NUL, and UTF-8 has no half of a surrogate pair. Both become U+FFFD. What a
 * receiver sends must never be what keeps its own attempt out of the log.
 */
export function databaseText(text: string): string {
  return text.replaceAll('\0', '\ufffd').replace(LONE_SURROGATES, '\ufffd');
}

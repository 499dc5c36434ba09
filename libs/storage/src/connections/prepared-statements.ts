const names = new Map<string, string>();

/**
 * Has each connection keep a statement by a name: the server reads and analyses its text once, and soon plans it no more.
 * For texts that never change and run all the time, since a connection keeps them until it ends. What is kept is planned
 * without its values: none that chooses rows of the log's days by them, for which the planner would reckon with few rows
 * and all days.
 * @returns the text, which the connection knows when it comes
 */
export function prepared(text: string): string {
  if (!names.has(text)) names.set(text, `kept_${names.size}`);
  return text;
}

/** The name by which connections keep a statement; undefined if they don't. */
export const nameOfPrepared = (text: unknown): string | undefined =>
  typeof text === 'string' ? names.get(text) : undefined;

/** Our lines have constant texts; what libraries say varies, and is not remembered beyond this. */
const MOST_REMEMBERED = 512;
const LONGEST = 80;

const remembered = new Map<unknown, string>();

/**
 * The name of what a line tells, to search and count by: its text in lower case, every run of other characters than
 * letters, digits and dots as one `_`. `delivery.attempted` stays as it is.
 */
export function eventNameOf(text: unknown): string {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const name = (typeof text === 'string' ? text : 'unnamed')
    .slice(0, LONGEST)
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '_')
    .replaceAll(/^_|_$/g, '');
  if (remembered.size < MOST_REMEMBERED) remembered.set(text, name);
  return name;
}

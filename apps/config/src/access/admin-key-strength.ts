const MIN_LENGTH = 24;
const MIN_DISTINCT = 8;
/** A random key of 24 hex digits has about 19 of them. */
const MIN_SURPRISING = 12;
const PLACEHOLDER = /change.?me|example|password|placeholder|your.?(admin|api|key|secret)|replace.?(me|this)/i;
const ADVICE = 'make one with: openssl rand -hex 32';

/**
 * The key as given. What a guesser tries first is refused: short texts, few characters, repetitions, sequences and
 * placeholders. The value is never repeated in the complaint.
 * @throws RangeError
 */
export function asAdminKey(text: string): string {
  if (text.length < MIN_LENGTH) throw new RangeError(`shorter than ${MIN_LENGTH} characters; ${ADVICE}`);
  if (!/^[\x21-\x7e]+$/.test(text)) throw new RangeError('only visible ASCII characters can stand in a header');
  if (PLACEHOLDER.test(text)) throw new RangeError(`reads like a placeholder; ${ADVICE}`);
  const distinct = new Set(text).size;
  if (distinct < MIN_DISTINCT) throw new RangeError(`has only ${distinct} different characters; ${ADVICE}`);
  const surprising = surprisingCharacters(text);
  if (surprising >= MIN_SURPRISING) return text;
  const found = `only ${surprising} of its ${text.length} characters are no repetition or sequence`;
  throw new RangeError(`too easily guessed: ${found}; ${ADVICE}`);
}

/** How many characters neither continue a run such as `aaa`, `123` or `cba` nor a pair that stood before. */
function surprisingCharacters(text: string): number {
  const pairs = new Set<string>();
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const pair = text.slice(i - 1, i + 1);
    const continues = i > 0 && (Math.abs(text.charCodeAt(i) - text.charCodeAt(i - 1)) <= 1 || pairs.has(pair));
    if (!continues) count++;
    pairs.add(pair);
  }
  return count;
}

/** Control characters have pictures; marks that turn the direction of text have none, and are named. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/**
 * A text of unknown origin so that all of it can be seen: what would act on a terminal or turn the text around it is
 * shown as what it is. Line breaks and tabs stay.
 */
export const visibleText = (text: string): string =>
  text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧`;
  });

/** Lines that the browser lays out together; what is out of sight it leaves. */
const LINES_OF_PART = 200;

/** A text in parts of whole lines that are the text again when they are put together. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let [start, lines] = [0, 0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (++lines % LINES_OF_PART > 0) continue;
    parts.push(text.slice(start, at + 1));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

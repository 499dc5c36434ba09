const OPENING = new Set(['{', '[']);
const CLOSING = new Set(['}', ']']);
const INDENT = '  ';
/** Deeper structures get no deeper indentation: a million brackets would else be a million times as much text. */
const MAX_INDENT = 40;

/**
 * JSON with one member a line. The text is never parsed into values: numbers keep every digit, keys may repeat, and
 * what only looks like JSON comes out with the same characters.
 */
export function prettyJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  const newLine = (): void => void parts.push('\n', INDENT.repeat(Math.min(depth, MAX_INDENT)));
  for (const [token, isLast] of tokensOf(text)) {
    if (OPENING.has(token)) {
      parts.push(token);
      depth++;
      if (!isLast) newLine();
    } else if (CLOSING.has(token)) {
      depth = Math.max(0, depth - 1);
      dropEmptyLine(parts);
      if (!OPENING.has(parts.at(-1) ?? '')) newLine();
      parts.push(token);
    } else if (token === ',') {
      parts.push(token);
      newLine();
    } else parts.push(token === ':' ? ': ' : token);
  }
  return parts.join('');
}

/** The blank line that an empty object or list would hold. */
function dropEmptyLine(parts: string[]): void {
  if (parts.length >= 2 && parts.at(-2) === '\n' && (parts.at(-3) === '{' || parts.at(-3) === '[')) parts.length -= 2;
}

/** Strings, brackets, commas, colons and what stands between them, without blanks outside of strings. */
function* tokensOf(text: string): Generator<[token: string, isLast: boolean]> {
  const pattern = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs;
  for (const match of text.matchAll(pattern)) yield [match[0], match.index + match[0].length === text.length];
}

/** Whether a text is JSON, so that formatting it is worth offering. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Bytes as two digits each, one after the other. */
export const hexOf = (bytes: Uint8Array, between = ''): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(between);

const BYTES_OF_LINE = 16;

/** Bytes in lines of sixteen, as hex viewers show them: where the line begins, its bytes, and what of them is ASCII. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += BYTES_OF_LINE) {
    const line = bytes.subarray(at, at + BYTES_OF_LINE);
    const place = at.toString(16).padStart(8, '0');
    lines.push(`${place}  ${hexOf(line, ' ').padEnd(3 * BYTES_OF_LINE - 1)}  ${asciiOf(line)}`);
  }
  return lines.join('\n');
}

const asciiOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');

export const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/**
 * The text that bytes are in UTF-8, with each mark and control character in it; undefined if they aren't. A character that
 * is cut off at the end is left out.
 */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

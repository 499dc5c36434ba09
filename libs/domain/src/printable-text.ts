/**
 * What steers a terminal or changes the order in which text is read: C0 and C1 controls, DEL, bidirectional marks,
 * overrides and isolates, and the two separators that some programs take for the end of a line.
 */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** For text that a program keeps and shows: without such characters, but with its tabs and line feeds. */
export const removeUnprintable = (text: string): string =>
  text.replace(UNPRINTABLE, (found) => (found === '\t' || found === '\n' ? found : ''));

/** For a line that an operator reads: each such character as `\uXXXX`, so that it is seen. Valid in JSON's strings. */
export const escapeUnprintable = (line: string): string =>
  line.replace(UNPRINTABLE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What a spreadsheet would take for a formula, also after blanks, and in the wide forms of East Asian keyboards. */
const FORMULA = /^[\s\u0000-\u001f]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const BLANK_START = /^[\t\r\n]/;

/** So that a spreadsheet reads the bytes as UTF-8. */
const MARK = '\ufeff';

/**
 * Rows as CSV (RFC 4180). Cells hold what strangers wrote, and a spreadsheet runs a cell that looks like a formula: such
 * a one begins with an apostrophe, which shows it as text.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  MARK + rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

const cellOf = (text: string): string => {
  const safe = FORMULA.test(text) || BLANK_START.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};

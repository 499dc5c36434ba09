/** Texts, which are passed over, and numbers, of a text that is JSON. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The first number of a JSON text that a program would read as another, such as one of twenty digits. */
export function inexactNumber(json: string): string | undefined {
  const numbers = [...json.matchAll(TOKENS)].map(([token]) => token).filter((token) => token[0] !== '"');
  return numbers.find((token) => !isExact(token));
}

/** Whether the number that is read is written with the same value again. */
function isExact(token: string): boolean {
  const value = Number(token);
  return Number.isFinite(value) && valueOf(token) === valueOf(String(value));
}

/** A number's digits and its power of ten, the same however the number is written. */
function valueOf(token: string): string {
  const [, sign = '', whole = '0', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${sign}${kept}e${Number(power) - part.length + digits.length - kept.length}`;
}

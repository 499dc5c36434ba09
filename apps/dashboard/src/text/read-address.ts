/** The text if it is one of those. */
export const oneOf = <T extends string>(all: readonly T[], text: string | undefined): T | undefined =>
  all.find((one) => one === text);

/** The text without the spaces around it, if it is of that kind. */
export const matching = (pattern: RegExp, text: string | undefined): string | undefined =>
  text !== undefined && pattern.test(text.trim()) ? text.trim() : undefined;

/** A moment as the API takes it, whose years have four digits. */
export function momentOf(text: string | undefined): string | undefined {
  const ms = Date.parse(text ?? '');
  const moment = Number.isNaN(ms) ? '' : new Date(ms).toISOString();
  return /^\d{4}-/.test(moment) ? moment : undefined;
}

/** Without what is not given. */
export const given = <T extends object>(all: T): Partial<T> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<T>;

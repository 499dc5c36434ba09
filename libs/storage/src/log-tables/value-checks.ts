/** Whether a value of an incoming record can be what a member of it should be. */
export type ValueCheck = (value: unknown) => boolean;

/** A check for every member of a record: the compiler asks for those of new ones. */
export type MemberChecks<T> = Readonly<Record<keyof T, ValueCheck>>;

export const MAX_INTEGER = 0x7fff_ffff;

export const isNumber = (value: unknown, max: number): boolean =>
  typeof value === 'number' && value >= 0 && value <= max;
export const isCount = (value: unknown): boolean => Number.isInteger(value) && isNumber(value, MAX_INTEGER);
export const isText = (value: unknown): boolean => typeof value === 'string';
export const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
export const isHeaders = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every(isText);

export const matches = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);
export const isOneOf = (values: readonly unknown[], value: unknown): boolean => values.includes(value);

/** Null, or what the check takes. */
export const orNull =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    value === null || check(value);

/** The sentence on a member that is malformed, null if it is sound; it names no value. */
export const fault = (name: string, sound: boolean): string | null => (sound ? null : `${name} is malformed`);

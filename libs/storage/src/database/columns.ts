import type { ColumnOptions } from 'typeorm';

/** A moment with the API's precision, so that what is read compares equal to what was written. */
export const moment = (name: string, options: ColumnOptions = {}): ColumnOptions => ({
  ...options,
  name,
  type: 'timestamp with time zone',
  precision: 3,
});

/** A moment that may not have come. */
export const maybeMoment = (name: string): ColumnOptions => moment(name, { nullable: true });

/** A 64-bit count; `pg` hands those over as text. */
export const wholeNumber = (name: string, options: ColumnOptions = {}): ColumnOptions => ({
  ...options,
  name,
  type: 'bigint',
  transformer: { from: (text: string | null) => (text === null ? null : Number(text)), to: (n: unknown) => n },
});

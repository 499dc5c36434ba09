import { QueryFailedError } from 'typeorm';
import { isOvertaken } from '../database/data-source.js';
import { OvertakenByWriter } from './write-batch.js';

/** The database can't be written to now, whatever is written. The same records will do later. */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable';

  constructor(cause: unknown) {
    super(`the delivery log can't be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * The database refuses one of the records for a reason that nobody foresaw, and nothing else was written since: whether
 * it is the record or the database that is at fault shows when another one is written. Write it again then.
 */
export class LogRefused extends Error {
  override readonly name = 'LogRefused';

  constructor(cause: unknown) {
    super(describeDataError(cause), { cause });
  }
}

/** SQLSTATE classes that speak of the values written: data exception, cardinality, integrity, program limit. */
const DATA_CLASSES = new Set(['22', '21', '23', '54']);

const sqlStateOf = (error: unknown): string =>
  error instanceof QueryFailedError ? ((error.driverError as { code?: string }).code ?? '') : '';

/** Whether something in the records is to blame, so that other records can be written all the same. */
export const isDataError = (error: unknown): boolean => DATA_CLASSES.has(sqlStateOf(error).slice(0, 2));

/** A right is missing, or the owner's function refuses what it was asked for. */
export const isDenied = (error: unknown): boolean => sqlStateOf(error) === '42501';

/** No day of the log takes the row. The code is that of a broken check, which has a name. */
export const isDayMissing = (error: unknown): boolean =>
  sqlStateOf(error) === '23514' &&
  (((error as QueryFailedError).driverError as { constraint?: string }).constraint ?? '') === '';

export const isConflict = (error: unknown): boolean => error instanceof OvertakenByWriter || isOvertaken(error);

/**
 * Codes that speak of the database and not of what is written: connection, resources, shutdown and time-outs, its own
 * disk, a standby, a lock, a lost race, wrong credentials.
 */
const PASSING = /^(08|28|3D|40|53|57|58|25006|25P03|55P03)/;

/** Whether one of the records may be to blame. Any code that isn't known to speak of the database counts. */
export const isRefusal = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  return /^[0-9A-Z]{5}$/.test(state) && !PASSING.test(state);
};

/** An error of our own code: it would come back however often the write is tried. */
export const isBug = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;

/** What may be shown of a data error: its code and the names in it, never the values, which are people's data. */
export function describeDataError(error: unknown): string {
  const driverError = (error as QueryFailedError).driverError as {
    constraint?: string;
    column?: string;
    table?: string;
  };
  const where = driverError.constraint ?? driverError.column ?? driverError.table;
  return `the database refuses it with ${sqlStateOf(error)}${where ? ` (${where})` : ''}`;
}

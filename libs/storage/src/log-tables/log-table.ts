import type { LogDay } from '../database/log-days.js';
import { TRAVEL, type ColumnType, type ColumnValues } from './column-types.js';

interface ColumnOf<Source, Type extends ColumnType> {
  readonly type: Type;
  /** What the row of a thing has in this column, and what is read back of it. */
  readonly of: (source: Source) => ColumnValues[Type] | null;
  /** It never changes while its row stands, so updates leave it out. */
  readonly fixed?: true;
  /** What stands in place of a value once the submission is erased; without this the value stays. */
  readonly erased?: null | Readonly<Record<string, never>>;
}

/** A column of a log table; `Source` is the thing that a row tells of. */
export type LogColumn<Source> = { readonly [Type in ColumnType]: ColumnOf<Source, Type> }[ColumnType];

export type LogColumns<Source> = Readonly<Record<string, LogColumn<Source>>>;

/** A row as it is read back: in each column what its `of` gave. */
export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends { readonly of: (source: never) => infer Value }
    ? Value
    : never;
};

type Entry<Source> = readonly [name: string, column: LogColumn<Source>];

/**
 * A table of the log. Its columns are stated once, and what statements list of them follows. Besides these each table
 * has `day`, by which it is partitioned; nobody reads it, since it follows from the moment of acceptance.
 *
 * Statements name every column, so that services of neighbouring releases can share a table of which one knows a column
 * more.
 */
export class LogTable<Source, Columns extends LogColumns<Source>> {
  private readonly entries: readonly Entry<Source>[];
  /**
   * Every row begins as a copy of this: one that got its members one by one would cost half as much again. What stays
   * undefined is not in the row's JSON, which for `recordset` is null.
   */
  private readonly emptyRow: Readonly<Record<string, undefined>>;

  constructor(
    readonly columns: Columns,
    private readonly dayOf: (source: Source) => LogDay,
  ) {
    this.entries = Object.entries(columns);
    this.emptyRow = Object.fromEntries(['day', ...Object.keys(columns)].map((name) => [name, undefined]));
  }

  /** A row for the JSON that `recordset` reads; without what an erased submission may not leave. */
  rowOf(source: Source, isErased = false): Readonly<Record<string, unknown>> {
    const row: Record<string, unknown> = { ...this.emptyRow };
    row['day'] = this.dayOf(source);
    for (const [name, { type, of, erased }] of this.entries) {
      const value = of(source);
      if (value === null) continue;
      const { safe } = TRAVEL[type];
      if (isErased && erased !== undefined) row[name] = erased;
      else row[name] = safe ? safe(value as never) : value;
    }
    return row;
  }

  /** The table `r` that a parameter with the JSON of rows stands for. */
  recordset(parameter: string): string {
    const columns = this.entries.map(([name, { type }]) => `${name} ${TRAVEL[type].sent}`);
    return `json_to_recordset(${parameter}::json) AS r(${['day date', ...columns].join(', ')})`;
  }

  /** What an insert names. */
  get names(): string {
    return ['day', ...this.entries.map(([name]) => name)].join(', ');
  }

  /** What an insert takes from `recordset`, in the order of `names`. */
  get values(): string {
    return ['r.day', ...this.entries.map(storedValue)].join(', ');
  }

  /** What an update takes from `recordset`. */
  get assignments(): string {
    const changing = this.entries.filter(([, { fixed }]) => !fixed);
    return changing.map((entry) => `${entry[0]} = ${storedValue(entry)}`).join(', ');
  }

  /** What an update assigns to erase a submission's data; what is null stays null. */
  get erasure(): string {
    const erased = this.entries.filter(([, column]) => column.erased !== undefined);
    return erased.map((entry) => `${entry[0]} = ${erasedValue(entry)}`).join(', ');
  }

  /** Which rows `erasure` changes. */
  get erasable(): string {
    const erased = this.entries.filter(([, column]) => column.erased !== undefined);
    return erased.map(([name]) => `${name} IS NOT NULL`).join(' OR ');
  }

  /** The select list of a row; `alias` is the table's, with its dot. */
  read(alias = ''): string {
    return this.entries.map((entry) => readValue(entry, alias)).join(', ');
  }
}

const storedValue = ([name, { type }]: Entry<never>): string => stored(type, `r.${name}`);

const stored = (type: ColumnType, sent: string): string => TRAVEL[type].stored?.(sent) ?? sent;

function readValue([name, { type }]: Entry<never>, alias: string): string {
  const read = TRAVEL[type].read?.(alias + name);
  return read === undefined ? alias + name : `${read} AS ${name}`;
}

function erasedValue([name, { type, erased }]: Entry<never>): string {
  if (erased === null) return 'NULL';
  return `CASE WHEN ${name} IS NOT NULL THEN ${stored(type, `'${JSON.stringify(erased)}'`)} END`;
}

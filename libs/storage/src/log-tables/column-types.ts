import type { AttemptOutcome, DeliveryState, EventName, Reason, Trigger } from '@form-webhooks/domain';
import { databaseText, isDatabaseText } from './database-text.js';

type Headers = Readonly<Record<string, string>>;

/** The types that columns of the log have, and what their values are on our side. */
export interface ColumnValues {
  /** A `timestamptz`: ms since the epoch. */
  moment: number;
  /** Below 2^53. */
  bigint: number;
  integer: number;
  smallint: number;
  boolean: boolean;
  /** An `integer[]`, each of which may be missing. */
  integers: readonly (number | null)[];
  /** Ids and codes: `text` that has passed a check of its own and so holds nothing that PostgreSQL refuses. */
  code: string;
  /** `text` of any kind, such as what a receiver answered; it is made safe on its way. */
  text: string;
  /** HTTP headers as a `json` object; names and values are made safe on their way. */
  headers: Headers;
  event_name: EventName;
  delivery_state: DeliveryState;
  delivery_reason: Reason;
  delivery_trigger: Trigger;
  attempt_outcome: AttemptOutcome;
}

export type ColumnType = keyof ColumnValues;

/** How the values of a type travel: as JSON to the database, and back in a select list. */
interface Travel {
  /** The type that PostgreSQL takes the JSON's member for. */
  readonly sent: string;
  /** What is stored of what was sent, where that isn't the same. */
  readonly stored?: (sent: string) => string;
  /** What a select list asks for, where that isn't the column itself. */
  readonly read?: (column: string) => string;
  /** Makes of a value what PostgreSQL takes. */
  readonly safe?: (value: never) => unknown;
}

/** `pg` would hand over a `bigint` as text. */
const asDouble = (column: string): string => `${column}::float8`;

export const TRAVEL: Readonly<Record<ColumnType, Travel>> = {
  moment: {
    sent: 'bigint',
    stored: (sent) => `to_timestamp(${sent} / 1000.0)`,
    read: (column) => `round(date_part('epoch', ${column}) * 1000)`,
  },
  bigint: { sent: 'bigint', read: asDouble },
  integer: { sent: 'integer' },
  smallint: { sent: 'smallint' },
  boolean: { sent: 'boolean' },
  // PostgreSQL reads a list in its own notation several times faster than one in JSON.
  integers: { sent: 'text', stored: (sent) => `${sent}::integer[]`, safe: listOfIntegers },
  code: { sent: 'text' },
  text: { sent: 'text', safe: databaseText },
  // Taken for text, the JSON of a member comes out as it stands in its row, and is read once instead of twice.
  headers: { sent: 'text', stored: (sent) => `${sent}::json`, safe: safeHeaders },
  event_name: { sent: 'event_name' },
  delivery_state: { sent: 'delivery_state' },
  delivery_reason: { sent: 'delivery_reason' },
  delivery_trigger: { sent: 'delivery_trigger' },
  attempt_outcome: { sent: 'attempt_outcome' },
};

function listOfIntegers(integers: ColumnValues['integers']): string {
  return `{${integers.map((one) => one ?? 'NULL').join()}}`;
}

/** Nearly all are safe as they are, and then nothing is copied. */
function safeHeaders(headers: Headers): Headers {
  const entries = Object.entries(headers);
  if (entries.every((entry) => entry.every(isDatabaseText))) return headers;
  return Object.fromEntries(entries.map(([name, value]) => [databaseText(name), databaseText(value)]));
}

import { ANY_ID_PATTERN, isMoment } from '@form-webhooks/domain';
import type { PageQueryDto } from '@form-webhooks/http-api';
import type { AfterRow, LogPlace } from '@form-webhooks/storage';
import { invalid } from './problems.js';

const DEFAULT_LIMIT = 50;

/** One page of a list, and where the next one begins. */
export interface Page<T> {
  readonly items: T[];
  readonly next_cursor: string | null;
}

/** How many items the caller gets at most. @throws Problem 422 */
export function pageLimit(query: PageQueryDto, maxPageSize: number): number {
  const limit = query.limit ?? Math.min(DEFAULT_LIMIT, maxPageSize);
  if (limit <= maxPageSize) return limit;
  throw invalid({ field: 'limit', code: 'too_large', message: `limit is at most ${maxPageSize}.` });
}

/** Cuts the one row too many that was asked for to know whether there is a next page. */
export function toPage<T, Item>(
  rows: readonly T[],
  limit: number,
  show: (row: T) => Item,
  cursorOf: (row: T) => string,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(show), next_cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** A cursor is opaque to callers; it grants nothing, since every query is bound to the caller's reach anyway. */
export const encodeCursor = (parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(parts), 'utf8').toString('base64url');

/** @throws Problem 422 unless it is a cursor of exactly these kinds of parts */
function decodeCursor(cursor: string, kinds: readonly ('string' | 'number')[]): (string | number)[] {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    const fits =
      Array.isArray(parts) && parts.length === kinds.length && parts.every((part, i) => typeof part === kinds[i]);
    if (fits) return parts as (string | number)[];
  } catch {
    // Not JSON: the answer is the same.
  }
  throw notACursor();
}

export const rowCursor = (row: AfterRow): string => encodeCursor([row.createdAt.getTime(), row.id]);

export function readRowCursor(cursor: string | undefined): AfterRow | undefined {
  if (cursor === undefined) return undefined;
  const [at, id] = decodeCursor(cursor, ['number', 'string']) as [number, string];
  if (!isMoment(at) || !ANY_ID_PATTERN.test(id)) throw notACursor();
  return { createdAt: new Date(at), id };
}

export const logCursor = (next: LogPlace | null): string | null => next && encodeCursor([next.acceptedAt, next.id]);

/** @throws Problem 422 */
export function readLogCursor(cursor: string | undefined): LogPlace | undefined {
  if (cursor === undefined) return undefined;
  const [acceptedAt, id] = decodeCursor(cursor, ['number', 'string']) as [number, string];
  // Where a search was cut off there is no row.
  const isPlace = id === '' || ANY_ID_PATTERN.test(id);
  if (!isMoment(acceptedAt) || !isPlace) throw notACursor();
  return { acceptedAt, id };
}

/** @returns the number in a cursor of one positive whole number. @throws Problem 422 */
export function readSequenceCursor(cursor: string): number {
  const [sequence] = decodeCursor(cursor, ['number']) as [number];
  if (!Number.isSafeInteger(sequence) || sequence < 1) throw notACursor();
  return sequence;
}

const notACursor = () =>
  invalid({ field: 'cursor', code: 'format', message: 'cursor is not a next_cursor of this list.' });

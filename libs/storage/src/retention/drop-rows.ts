import type { QueryRunner } from 'typeorm';
import type { LogDay } from '../database/log-days.js';

/** Rows that one statement deletes at most, so that none runs into the statement timeout and undoes all it did. */
const ROWS_A_BATCH = 10_000;

const ROLL_UPS = ['delivery_counts', 'attempt_latencies', 'attempt_failures'];

/** Deletes the roll-ups of the hours before a day. */
export async function dropRollUpsBefore(runner: QueryRunner, first: LogDay): Promise<void> {
  for (const table of ROLL_UPS) await dropRowsBefore(runner, table, 'hour', first);
}

/** Deletes replays that finished before a day. */
export const dropReplaysBefore = (runner: QueryRunner, first: LogDay): Promise<void> =>
  dropRowsBefore(runner, 'replays', 'finished_at', first);

async function dropRowsBefore(runner: QueryRunner, table: string, column: string, first: LogDay): Promise<void> {
  for (let dropped = ROWS_A_BATCH; dropped === ROWS_A_BATCH;) {
    [, dropped] = (await runner.query(deleteBatch(table, column), [first])) as [unknown[], number];
  }
}

/** Rows that somebody else has locked are left to the next round: who waits while holding locks can be in a deadlock. */
const deleteBatch = (table: string, column: string): string => `
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ${column} < $1::date::timestamp AT TIME ZONE 'UTC'
    ORDER BY ${column} LIMIT ${ROWS_A_BATCH} FOR UPDATE SKIP LOCKED))`;

import { compareText, type EventOutcome } from '@form-webhooks/domain';
import type { CarriedEvent, EventRecord } from '@form-webhooks/messages';
import type { Transaction } from '../database/data-source.js';
import type { ErasedSubmissions } from '../erasure/erased-submissions.js';
import { addDays, dayOf } from '../database/log-days.js';

/** An event to store: a message of one, or the record of it. A test send is no event that was accepted. */
export type StoredEvent = CarriedEvent & Pick<EventRecord, 'key' | 'outcome'> & { readonly isTest?: true };

/**
 * Stores events with their bytes, each once: a repeat on the same or the next day finds the first. The tails travel as
 * one binary parameter and are cut apart by the server, so that they are neither escaped nor copied through text.
 * @returns how many of those that are new came with a key that another event of their form and name has too
 */
export async function insertEvents(
  tx: Transaction,
  events: readonly StoredEvent[],
  erased: ErasedSubmissions,
): Promise<{ readonly reusedKeys: number }> {
  if (events.length === 0) return { reusedKeys: 0 };
  const sorted = [...events].sort((a, b) => compareText(a.eventId, b.eventId) || a.acceptedAt - b.acceptedAt);
  const { rows, tails } = layOut(sorted, erased);
  const daysBefore = [...new Set(rows.map((row) => row.day_before))];
  const written = (await tx.query(INSERT, [JSON.stringify(rows), Buffer.concat(tails), daysBefore])) as WrittenEvent[];
  const ids = new Set(written.map(({ event_id }) => event_id));
  const standing = rows.filter((row) => !ids.has(row.event_id));
  if (standing.length > 0) await tx.query(REPLACE_OUTCOMES, [JSON.stringify(standing), daysBefore]);
  return {
    reusedKeys: await countReusedKeys(
      tx,
      rows.filter((row) => row.key !== null && ids.has(row.event_id)),
    ),
  };
}

interface WrittenEvent {
  readonly event_id: string;
}

/** Over two days, as long as a key stands for one event at least. */
async function countReusedKeys(tx: Transaction, keyed: readonly InsertedRow[]): Promise<number> {
  if (keyed.length === 0) return 0;
  const ids = keyed.map((row) => row.event_id);
  const days = [...new Set(keyed.flatMap((row) => [row.day_before, row.day]))];
  const [counted] = (await tx.query(COUNT_REUSED_KEYS, [JSON.stringify(keyed), days, ids])) as [{ count: number }];
  return counted.count;
}

/**
 * Removes the copies that were stored on the day after an event's first acceptance, before the record of the first
 * arrived, which takes over what became of the event. Only records that come late can have such copies.
 */
export async function removeLaterCopies(
  tx: Transaction,
  events: readonly CarriedEvent[],
  today: string,
): Promise<void> {
  const late = events.filter((event) => dayOf(event.acceptedAt) < today);
  if (late.length === 0) return;
  const days = [...new Set(late.map((event) => dayOf(event.acceptedAt)))];
  const ids = late.map((event) => event.eventId);
  await tx.query(REMOVE_LATER_COPIES, [ids, days, days.map((day) => addDays(day, 1))]);
}

interface InsertedRow {
  readonly day: string;
  readonly day_before: string;
  readonly event: string;
  readonly event_id: string;
  readonly form_id: string;
  readonly submission_id: string;
  /** Null keeps it out of the list of events. */
  readonly accepted_at: number | null;
  readonly outcome: EventOutcome;
  /** Null if there is none, or it must not be stored. */
  readonly key: string | null;
  /** Where the tail begins among all tails, counted from 1; null if it must not be stored. */
  readonly tail_start: number | null;
  readonly tail_length: number;
}

function layOut(events: readonly StoredEvent[], erased: ErasedSubmissions): { rows: InsertedRow[]; tails: Buffer[] } {
  const tails: Buffer[] = [];
  let next = 1;
  const rows = events.map((event) => {
    const day = dayOf(event.acceptedAt);
    const kept = !erased.has(event);
    const row = {
      day,
      day_before: addDays(day, -1),
      event: event.event,
      event_id: event.eventId,
      form_id: event.formId,
      submission_id: event.submissionId,
      accepted_at: event.isTest ? null : event.acceptedAt,
      outcome: event.outcome ?? 'fanned_out',
      key: kept ? (event.key ?? null) : null,
      tail_start: kept ? next : null,
      tail_length: event.tail.length,
    };
    if (kept) {
      tails.push(event.tail);
      next += event.tail.length;
    }
    return row;
  });
  return { rows, tails };
}

/**
 * `$3` repeats the days before, so that the planner looks at those partitions alone. A later outcome takes the place of
 * an earlier one, and the first acceptance that of a later one, in whatever order they come.
 */
const INSERT = `
  INSERT INTO events (day, accepted_at, event, event_id, form_id, submission_id, outcome, idempotency_key, tail)
  SELECT r.day, to_timestamp(r.accepted_at / 1000.0), r.event, r.event_id, r.form_id, r.submission_id, r.outcome, r.key,
         substring($2::bytea FROM r.tail_start FOR r.tail_length)
  FROM json_to_recordset($1::json) AS r(day date, day_before date, accepted_at bigint, event event_name, event_id text,
    form_id text, submission_id text, outcome event_outcome, key text, tail_start integer, tail_length integer)
  WHERE NOT EXISTS (
    SELECT FROM events e WHERE e.event_id = r.event_id AND e.day = r.day_before AND e.day = ANY ($3::date[]))
  ON CONFLICT (event_id, day) DO UPDATE
    SET outcome = greatest(events.outcome, excluded.outcome),
      accepted_at = least(events.accepted_at, excluded.accepted_at)
    WHERE events.outcome < excluded.outcome OR events.accepted_at > excluded.accepted_at
  RETURNING event_id`;

/** The row of the day before keeps the event that was accepted again. */
const REPLACE_OUTCOMES = `
  UPDATE events e SET outcome = r.outcome
  FROM json_to_recordset($1::json) AS r(day_before date, event_id text, outcome event_outcome)
  WHERE e.event_id = r.event_id AND e.day = r.day_before AND e.day = ANY ($2::date[]) AND e.outcome < r.outcome`;

/** Of two in one batch only the second counts. */
const COUNT_REUSED_KEYS = `
  WITH r AS (SELECT * FROM json_to_recordset($1::json) AS r(event event_name, event_id text, form_id text, key text))
  SELECT count(*)::integer AS count FROM r
  WHERE EXISTS (
    SELECT FROM events e WHERE e.idempotency_key = r.key AND e.form_id = r.form_id AND e.event = r.event
      AND e.event_id <> r.event_id AND e.day = ANY ($2::date[])
      AND (e.event_id < r.event_id OR NOT e.event_id = ANY ($3::text[])))`;

const REMOVE_LATER_COPIES = `
  WITH gone AS (
    DELETE FROM events copy USING events first
    WHERE copy.event_id = ANY ($1::text[]) AND copy.day = ANY ($3::date[])
      AND first.event_id = copy.event_id AND first.day = copy.day - 1 AND first.day = ANY ($2::date[])
    RETURNING copy.event_id, copy.day, copy.outcome)
  UPDATE events first SET outcome = gone.outcome FROM gone
  WHERE first.event_id = gone.event_id AND first.day = gone.day - 1 AND first.day = ANY ($2::date[])
    AND first.outcome < gone.outcome`;

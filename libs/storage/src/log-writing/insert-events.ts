import type { EventMessage } from '@form-webhooks/messages';
import type { Transaction } from '../database/data-source.js';
import { compareText } from '../deliveries/delivery-row.js';
import type { ErasedSubmissions } from '../erasure/erased-submissions.js';
import { addDays, dayOf } from '../database/log-days.js';

/**
 * Stores events with their bytes, each once: a repeat on the same or the next day finds the first. The tails travel as
 * one binary parameter and are cut apart by the server, so that they are neither escaped nor copied through text.
 */
export async function insertEvents(
  tx: Transaction,
  events: readonly EventMessage[],
  erased: ErasedSubmissions,
): Promise<void> {
  if (events.length === 0) return;
  const sorted = [...events].sort((a, b) => compareText(a.eventId, b.eventId) || a.acceptedAt - b.acceptedAt);
  const { rows, tails } = layOut(sorted, erased);
  const daysBefore = [...new Set(rows.map((row) => row.day_before))];
  await tx.query(INSERT, [JSON.stringify(rows), Buffer.concat(tails), daysBefore]);
}

/**
 * Removes the copies that were stored on the day after an event's first acceptance, before the record of the first
 * arrived. Only records that come late can have such copies.
 */
export async function removeLaterCopies(
  tx: Transaction,
  events: readonly EventMessage[],
  today: string,
): Promise<void> {
  const late = events.filter((event) => dayOf(event.acceptedAt) < today);
  if (late.length === 0) return;
  const days = [...new Set(late.map((event) => dayOf(event.acceptedAt)))];
  const ids = late.map((event) => event.eventId);
  await tx.query(REMOVE_LATER_COPIES, [ids, days, days.map((day) => addDays(day, 1))]);
}

interface EventRow {
  readonly day: string;
  readonly day_before: string;
  readonly event: string;
  readonly event_id: string;
  readonly form_id: string;
  readonly submission_id: string;
  /** Where the tail begins among all tails, counted from 1; null if it must not be stored. */
  readonly tail_start: number | null;
  readonly tail_length: number;
}

function layOut(events: readonly EventMessage[], erased: ErasedSubmissions): { rows: EventRow[]; tails: Buffer[] } {
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

/** `$3` repeats the days before, so that the planner looks at those partitions alone. */
const INSERT = `
  INSERT INTO events (day, event, event_id, form_id, submission_id, tail)
  SELECT r.day, r.event, r.event_id, r.form_id, r.submission_id,
         substring($2::bytea FROM r.tail_start FOR r.tail_length)
  FROM json_to_recordset($1::json) AS r(day date, day_before date, event event_name, event_id text, form_id text,
    submission_id text, tail_start integer, tail_length integer)
  WHERE NOT EXISTS (
    SELECT FROM events e WHERE e.event_id = r.event_id AND e.day = r.day_before AND e.day = ANY ($3::date[]))
  ON CONFLICT (event_id, day) DO NOTHING`;

const REMOVE_LATER_COPIES = `
  DELETE FROM events copy USING events first
  WHERE copy.event_id = ANY ($1::text[]) AND copy.day = ANY ($3::date[])
    AND first.event_id = copy.event_id AND first.day = copy.day - 1 AND first.day = ANY ($2::date[])`;

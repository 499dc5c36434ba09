import { EVENT_OUTCOMES, FIRST_POSITION, groupBy, type AttemptId } from '@form-webhooks/domain';
import type { DeliveryLogRecord, DeliveryRecord, EventRecord } from '@form-webhooks/messages';
import { identityOf, pendingRow, standingOf, type DeliveryRow } from '../deliveries/delivery-row.js';
import { areNeighbours, dayOf } from '../database/log-days.js';
import type { RecordedAttempt } from '../log-tables/attempts-table.js';
import { mergeRows } from './merge-rows.js';

/** A batch, folded: one entry per event, per attempt, and per delivery and acceptance. */
export interface FoldedRecords {
  readonly events: readonly EventRecord[];
  readonly attempts: readonly RecordedAttempt[];
  /** Attempts aren't counted yet: only those really inserted count (`countAttempts`). */
  readonly deliveries: readonly DeliveryRow[];
}

export function foldRecords(records: readonly DeliveryLogRecord[]): FoldedRecords {
  const events: EventRecord[] = [];
  const attempts = new Map<AttemptId, RecordedAttempt>();
  const rows: DeliveryRow[] = [];
  for (const record of records) {
    if (record.kind === 'event') {
      events.push(record);
      rows.push(...rowsOfEvent(record));
    } else {
      if (record.attempt) attempts.set(record.attempt.id, { attempt: record.attempt, record });
      rows.push(rowOfRecord(record));
    }
  }
  return { events: firstAcceptances(events), attempts: [...attempts.values()], deliveries: foldRows(rows) };
}

/**
 * Adds to each delivery the attempts that the database really took, so that a repeated record counts nothing. The rows
 * are those that the attempts' records were folded into.
 */
export function countAttempts(rows: readonly DeliveryRow[], inserted: readonly RecordedAttempt[]): DeliveryRow[] {
  const taken = groupBy(inserted, ({ record }) => record.deliveryId);
  return rows.map((row) => {
    const own = taken.get(row.identity.deliveryId)?.filter(({ record }) => belongsTo(row, record)) ?? [];
    return own.length === 0 ? row : { ...row, attemptCount: row.attemptCount + own.length };
  });
}

/** Whether a record of the delivery was folded into this row: what begins later than a day after it has its own. */
const belongsTo = (row: DeliveryRow, { acceptedAt }: DeliveryRecord): boolean =>
  acceptedAt >= row.acceptedAt && areNeighbours(dayOf(row.acceptedAt), dayOf(acceptedAt));

/** One row per delivery and acceptance: what was accepted on the same or the neighbouring day is one. */
function foldRows(rows: readonly DeliveryRow[]): DeliveryRow[] {
  return [...groupBy(rows, (row) => row.identity.deliveryId).values()].flatMap((group) =>
    clusterByDay(group).map((cluster) => cluster.reduce(mergeRows)),
  );
}

/** Groups rows of one delivery: each group begins with its first acceptance and holds that day and the next. */
export function clusterByDay<T extends { readonly acceptedAt: number }>(rows: readonly T[]): T[][] {
  if (rows.length === 1) return [[rows[0]!]];
  const clusters: T[][] = [];
  for (const row of [...rows].sort((a, b) => a.acceptedAt - b.acceptedAt)) {
    const current = clusters.at(-1);
    if (current && areNeighbours(dayOf(current[0]!.acceptedAt), dayOf(row.acceptedAt))) current.push(row);
    else clusters.push([row]);
  }
  return clusters;
}

function firstAcceptances(events: readonly EventRecord[]): EventRecord[] {
  return [...groupBy(events, (event) => event.eventId).values()].flatMap((group) =>
    clusterByDay(group).map(withLastOutcome),
  );
}

/** The first acceptance, with the outcome that replaces the others. */
function withLastOutcome(records: readonly EventRecord[]): EventRecord {
  const [first] = records as [EventRecord];
  if (records.length === 1) return first;
  const rank = ({ outcome = 'fanned_out' }: EventRecord): number => EVENT_OUTCOMES.indexOf(outcome);
  const last = records.reduce((a, b) => (rank(b) > rank(a) ? b : a));
  return last.outcome === undefined ? first : { ...first, outcome: last.outcome };
}

function rowsOfEvent(record: EventRecord): DeliveryRow[] {
  const due = {
    position: FIRST_POSITION,
    trigger: 'event',
    generationStartedAt: record.acceptedAt,
    nextAttemptAt: record.fannedOutAt,
  } as const;
  return record.deliveries.map((delivery) => pendingRow({ ...record, ...delivery }, due));
}

function rowOfRecord(record: DeliveryRecord): DeliveryRow {
  const { acceptedAt, position, attempt } = record;
  return {
    identity: identityOf(record),
    acceptedAt,
    standing: standingOf(record),
    lastAttempt: attempt && {
      generation: position.generation,
      try: attempt.try,
      startedAt: attempt.startedAt,
      status: attempt.response?.status ?? null,
      error: attempt.error?.code ?? null,
    },
    attemptCount: 0,
  };
}

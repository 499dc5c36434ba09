import type { EventName, EventOutcome } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import type { RetainedDays } from '../database/log-days.js';
import { daysWithin, searchLog, type LogPage, type LogPlace } from '../log-tables/search-log.js';
import type { EventRow } from './event-row.js';

/** What a reader of the log may ask for; all conditions hold together. */
export interface EventFilter {
  readonly outcome?: EventOutcome;
  readonly event?: EventName;
  readonly submissionId?: string;
  readonly eventId?: string;
  readonly key?: string;
  /** Accepted at or after, ms since the epoch. */
  readonly from?: number;
  /** Accepted before. */
  readonly to?: number;
}

/** A page of a form's events, newest first, whatever became of them. */
export async function searchEvents(
  tx: Transaction,
  formId: string,
  filter: EventFilter,
  page: { readonly limit: number; readonly after?: LogPlace },
  retained: RetainedDays,
): Promise<LogPage<EventRow>> {
  return searchLog({
    range: daysWithin(retained, [filter.from], [filter.to, page.after?.acceptedAt]),
    // An index finds these wherever they lie.
    everywhere: filter.eventId !== undefined || filter.submissionId !== undefined || filter.key !== undefined,
    limit: page.limit,
    look: (window, limit) => searchDays(tx, formId, filter, { window, limit, after: page.after }),
    placeOf: ({ acceptedAt, eventId }) => ({ acceptedAt, id: eventId }),
  });
}

interface Look {
  readonly window: RetainedDays;
  readonly limit: number;
  readonly after: LogPlace | undefined;
}

async function searchDays(tx: Transaction, formId: string, filter: EventFilter, look: Look): Promise<EventRow[]> {
  const { window, limit, after } = look;
  return (await tx.query(SEARCH, [
    formId,
    window.first,
    window.last,
    filter.outcome ?? null,
    filter.event ?? null,
    filter.submissionId ?? null,
    filter.eventId ?? null,
    filter.key ?? null,
    filter.from ?? null,
    filter.to ?? null,
    after?.acceptedAt ?? null,
    after?.id ?? null,
    limit,
  ])) as EventRow[];
}

const MOMENT = (parameter: string): string => `to_timestamp(${parameter}::bigint / 1000.0)`;

/** What the first release wrote has no moment of acceptance, and is found by its deliveries; so is a test send. */
const SEARCH = `
  SELECT e.event_id AS "eventId", e.event, e.form_id AS "formId", e.submission_id AS "submissionId",
    (extract(epoch FROM e.accepted_at) * 1000)::float8 AS "acceptedAt", coalesce(e.outcome, 'fanned_out') AS outcome,
    e.idempotency_key AS key,
    EXISTS (SELECT FROM events o WHERE o.idempotency_key = e.idempotency_key AND o.form_id = e.form_id
      AND o.event = e.event AND o.event_id <> e.event_id) AS "keyReused"
  FROM events e
  WHERE e.form_id = $1 AND e.day >= $2::date AND e.day <= $3::date AND e.accepted_at IS NOT NULL
    AND ($4::event_outcome IS NULL OR e.outcome = $4::event_outcome)
    AND ($5::event_name IS NULL OR e.event = $5::event_name)
    AND ($6::text IS NULL OR e.submission_id = $6::text)
    AND ($7::text IS NULL OR e.event_id = $7::text)
    AND ($8::text IS NULL OR e.idempotency_key = $8::text)
    AND ($9::bigint IS NULL OR e.accepted_at >= ${MOMENT('$9')})
    AND ($10::bigint IS NULL OR e.accepted_at < ${MOMENT('$10')})
    AND ($11::bigint IS NULL OR (e.accepted_at <= ${MOMENT('$11')}
      AND (e.accepted_at < ${MOMENT('$11')} OR e.event_id < $12::text)))
  ORDER BY e.accepted_at DESC, e.event_id DESC LIMIT $13`;

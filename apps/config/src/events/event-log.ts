import { Injectable } from '@nestjs/common';
import type { EventDto, EventListDto, EventQueryDto } from '@form-webhooks/http-api';
import { retainedDays, searchEvents, type EventFilter, type EventRow, type Form } from '@form-webhooks/storage';
import { logCursor, pageLimit, readLogCursor } from '../http/page.js';
import { LogReads } from '../in-flight/log-reads.js';
import { ConfigSettings } from '../settings.js';

/** Reads what became of a form's events. */
@Injectable()
export class EventLog {
  constructor(
    private readonly reads: LogReads,
    private readonly settings: ConfigSettings,
  ) {}

  /** @throws Problem 422, 429 */
  async list(form: Form, query: EventQueryDto): Promise<EventListDto> {
    const limit = pageLimit(query, this.settings.api.maxPageSize);
    const after = readLogCursor(query.cursor);
    const page = { limit, ...(after && { after }) };
    const { rows, next } = await this.reads.read(form.workspaceId, (tx, now) => {
      const retained = retainedDays(now.getTime(), this.settings.retention.days);
      return searchEvents(tx, form.id, filterOf(query), page, retained);
    });
    return { items: rows.map(showEvent), next_cursor: logCursor(next) };
  }
}

function filterOf({ outcome, event, submission_id, event_id, idempotency_key, from, to }: EventQueryDto): EventFilter {
  return {
    ...(outcome !== undefined && { outcome }),
    ...(event !== undefined && { event }),
    ...(submission_id !== undefined && { submissionId: submission_id }),
    ...(event_id !== undefined && { eventId: event_id }),
    ...(idempotency_key !== undefined && { key: idempotency_key }),
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(to !== undefined && { to: Date.parse(to) }),
  };
}

const showEvent = (row: EventRow): EventDto => ({
  event_id: row.eventId,
  event: row.event,
  form_id: row.formId,
  submission_id: row.submissionId,
  accepted_at: new Date(row.acceptedAt).toISOString(),
  outcome: row.outcome,
  idempotency_key: row.key,
  key_reused: row.keyReused,
});

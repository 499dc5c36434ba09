import type { EventId, EventName, EventOutcome, FormId, SubmissionId } from '@form-webhooks/domain';

/** An accepted event as lists show it. */
export interface EventRow {
  readonly eventId: EventId;
  readonly event: EventName;
  readonly formId: FormId;
  readonly submissionId: SubmissionId;
  /** ms since the epoch */
  readonly acceptedAt: number;
  readonly outcome: EventOutcome;
  readonly key: string | null;
  /** Whether the form's events of this name hold the key with another content too. */
  readonly keyReused: boolean;
}

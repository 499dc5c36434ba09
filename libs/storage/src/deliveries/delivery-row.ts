import type {
  DeliveryId,
  DeliveryState,
  EndpointId,
  EventId,
  EventName,
  FormId,
  Position,
  Reason,
  SubmissionId,
  Trigger,
  WaitingCause,
} from '@form-webhooks/domain';
import type { DeliveryMessage } from '@form-webhooks/messages';
import { dayOf, type LogDay } from '../database/log-days.js';

/** What never changes over a delivery's life. */
export interface DeliveryIdentity {
  readonly deliveryId: DeliveryId;
  readonly eventId: EventId;
  readonly event: EventName;
  readonly formId: FormId;
  readonly submissionId: SubmissionId;
  readonly endpointId: EndpointId;
}

/** Where a delivery stands, as one record said it; times in ms since the epoch. */
export interface DeliveryStanding {
  readonly position: Position;
  readonly state: DeliveryState;
  readonly reason: Reason | null;
  readonly trigger: Trigger;
  readonly generationStartedAt: number;
  readonly nextAttemptAt: number | null;
  readonly completedAt: number | null;
  /** Why it was put off last, if nothing was done for it since. */
  readonly waitsFor: WaitingCause | null;
}

/** What the list shows of a delivery's latest attempt, and what decides which one is the latest. */
export interface LastAttempt {
  readonly generation: number;
  readonly try: number;
  readonly startedAt: number;
  readonly status: number | null;
  readonly error: string | null;
}

/** A row of `deliveries`. */
export interface DeliveryRow {
  readonly identity: DeliveryIdentity;
  readonly acceptedAt: number;
  readonly standing: DeliveryStanding;
  readonly lastAttempt: LastAttempt | null;
  readonly attemptCount: number;
}

export const dayOfRow = (row: DeliveryRow): LogDay => dayOf(row.acceptedAt);

/** A delivery's identity, out of whatever else tells of it. */
export function identityOf(told: DeliveryIdentity): DeliveryIdentity {
  const { deliveryId, eventId, event, formId, submissionId, endpointId } = told;
  return { deliveryId, eventId, event, formId, submissionId, endpointId };
}

/** Where a delivery stands, out of whatever else tells of it. */
export function standingOf(told: Omit<DeliveryStanding, 'waitsFor'> & Partial<DeliveryStanding>): DeliveryStanding {
  const { position, state, reason, trigger, generationStartedAt, nextAttemptAt, completedAt, waitsFor = null } = told;
  return { position, state, reason, trigger, generationStartedAt, nextAttemptAt, completedAt, waitsFor };
}

/** The row of a delivery that nothing was done for yet. */
export const pendingRow = (
  told: DeliveryIdentity & { readonly acceptedAt: number },
  due: Omit<DeliveryStanding, 'state' | 'reason' | 'completedAt' | 'waitsFor'>,
): DeliveryRow => ({
  identity: identityOf(told),
  acceptedAt: told.acceptedAt,
  standing: { ...due, state: 'pending', reason: null, completedAt: null, waitsFor: null },
  lastAttempt: null,
  attemptCount: 0,
});

/** The message of a delivery as it stands, due when its row says. */
export function messageOf({ identity, standing, acceptedAt }: DeliveryRow, tail: Buffer): DeliveryMessage {
  return {
    ...identity,
    acceptedAt,
    tail,
    position: standing.position,
    generationStartedAt: standing.generationStartedAt,
    dueAt: standing.nextAttemptAt ?? standing.generationStartedAt,
    trigger: standing.trigger,
  };
}

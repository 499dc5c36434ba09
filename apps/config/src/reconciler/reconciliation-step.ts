import type { Reconciliation, ReconciliationPhase } from '@form-webhooks/storage';

/** How long the reconciler waits for what; all in ms. */
export interface ReconcilePolicy {
  /** What was due less long ago than this may simply be on its way. */
  readonly graceMs: number;
  /** Attempts in flight are recorded, and batches in hand are written, within this time. */
  readonly settleMs: number;
}

/** What is known outside the reconciliation's row. */
export interface ReconcileSituation {
  /** By the database's clock, ms since the epoch, as all times in the row. */
  readonly now: number;
  /** For how long the broker's connections have stood, ms; null while they don't. */
  readonly brokerUpForMs: number | null;
  /** How long the oldest row of the outbox has waited, in ms: what it holds isn't in any queue yet. */
  readonly outboxAgeMs: number;
}

/** What the reconciler does next. */
export type ReconcileStep =
  | { readonly do: 'wait' }
  | { readonly do: 'restart' }
  | { readonly do: 'send_fence' }
  | { readonly do: 'enter'; readonly phase: Exclude<ReconciliationPhase, 'due' | 'publish' | 'done'> }
  /** Find out what is lost, and enter the last phase with it. */
  | { readonly do: 'list' }
  | { readonly do: 'publish' };

const WAIT: ReconcileStep = { do: 'wait' };

/**
 * The next step of a reconciliation. Pure: what is in the row and the situation decides.
 *
 * A broker that has been away makes everything late: until it has stood for the grace nothing is judged, and what was
 * begun before is begun anew. So is what lies in the future, because the database's clock was set back: it would have to
 * be waited for. A fence that doesn't come back is sent again, since it may have been lost with the rest.
 */
export function nextReconcileStep(row: Reconciliation, at: ReconcileSituation, policy: ReconcilePolicy): ReconcileStep {
  const { now, brokerUpForMs } = at;
  if (brokerUpForMs === null || brokerUpForMs < policy.graceMs) return WAIT;
  if (isAheadOf(now, row)) return { do: 'restart' };
  if (row.phase !== 'publish' && now - brokerUpForMs > row.beganAt.getTime()) return { do: 'restart' };
  const settled = now - row.phaseAt.getTime() >= policy.settleMs;
  switch (row.phase) {
    case 'due':
      return row.echoed ? { do: 'enter', phase: 'deliveries' } : fence(row, now, policy);
    case 'deliveries':
      return row.echoed ? { do: 'enter', phase: 'settle' } : fence(row, now, policy);
    case 'settle':
      return settled ? { do: 'enter', phase: 'log' } : WAIT;
    case 'log':
      return row.echoed ? { do: 'enter', phase: 'rest' } : fence(row, now, policy);
    case 'rest':
      return settled && at.outboxAgeMs < policy.settleMs ? { do: 'list' } : WAIT;
    case 'publish':
      return { do: 'publish' };
    case 'done':
      return WAIT;
  }
}

/** What must have been due before to count as lost; never later than the grace before now, whatever the row says. */
export const lostIfDueBefore = ({ beganAt }: Reconciliation, now: Date, policy: ReconcilePolicy): Date =>
  new Date(Math.min(beganAt.getTime(), now.getTime()) - policy.graceMs);

const isAheadOf = (now: number, { beganAt, phaseAt, fenceSentAt }: Reconciliation): boolean =>
  [beganAt, phaseAt, fenceSentAt].some((moment) => moment !== null && moment.getTime() > now);

function fence(row: Reconciliation, now: number, policy: ReconcilePolicy): ReconcileStep {
  const sentAt = row.fenceSentAt?.getTime();
  return sentAt === undefined || now - sentAt >= policy.graceMs ? { do: 'send_fence' } : WAIT;
}

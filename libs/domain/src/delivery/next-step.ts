import type { ErrorCode, FailedReason } from '../enumerations.js';
import type { Position } from './position.js';
import { parseRetryAfter } from './retry-after.js';
import { delayAsked, ownDelay, spreadDelay, type RetrySchedule } from './retry-schedule.js';

/** What came back from one try to POST, as far as the decision needs it. */
export type AttemptResult =
  | { readonly kind: 'response'; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: 'error'; readonly code: ErrorCode };

/** What follows for the delivery. `delayMs` counts from now. */
export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'failed'; readonly reason: FailedReason };

export interface RetryPolicy {
  readonly schedule: RetrySchedule;
  /** The endpoint's own, in place of the installation's, whose queues it uses. */
  readonly ownSchedule?: RetrySchedule;
  /** Statuses of 4xx that are tried again, besides every 5xx. */
  readonly retryStatuses: ReadonlySet<number>;
  /** A 3xx counts as received; it is not followed in any case. */
  readonly redirectIsSuccess?: boolean;
  /** How long after its generation began a delivery may still start an attempt. */
  readonly deliveryMaxAgeMs: number;
}

export interface AttemptContext {
  readonly position: Position;
  readonly deliveryId: string;
  readonly endpointId: string;
  /** When this generation of the delivery began, in ms since the epoch. */
  readonly generationStartedAt: number;
  readonly now: number;
  /** A test send has one attempt. */
  readonly singleAttempt: boolean;
}

/**
 * What an attempt's result means for its delivery (the table in docs/delivery-states.md). Pure: no clock, no I/O.
 * Of what is sent, age is judged only here, after a failed attempt, so that what falls due late is tried all the same.
 */
export function decideNextStep(result: AttemptResult, context: AttemptContext, policy: RetryPolicy): NextStep {
  const final = finalStep(result, policy);
  if (final) return final;
  const rung = (policy.ownSchedule ?? policy.schedule)[context.position.try];
  if (rung === undefined || context.singleAttempt) return { kind: 'failed', reason: 'exhausted' };
  const delayMs = delayOf(rung, result, context, policy);
  const startsAt = context.now + delayMs;
  if (startsAt - context.generationStartedAt > policy.deliveryMaxAgeMs) return { kind: 'failed', reason: 'expired' };
  return { kind: 'retry', delayMs };
}

function finalStep(result: AttemptResult, policy: RetryPolicy): NextStep | undefined {
  if (result.kind === 'error') {
    return result.code === 'not_https' ? { kind: 'failed', reason: 'not_https' } : undefined;
  }
  const { status } = result;
  if (status >= 200 && status <= (policy.redirectIsSuccess ? 399 : 299)) return { kind: 'delivered' };
  if (status >= 500 || status < 200 || policy.retryStatuses.has(status)) return undefined;
  if (status === 410) return { kind: 'failed', reason: 'gone' };
  if (status < 400) return { kind: 'failed', reason: 'redirect' };
  return { kind: 'failed', reason: 'rejected' };
}

/** What `Retry-After` asks for, unless that is shorter than the rung; else the rung, spread. */
function delayOf(rung: number, result: AttemptResult, context: AttemptContext, policy: RetryPolicy): number {
  const asked = result.kind === 'response' ? parseRetryAfter(result.retryAfter, context.now) : undefined;
  if (asked !== undefined && asked >= rung) return delayAsked(policy.schedule, asked);
  const delayMs = spreadDelay(rung, { ...context, tryIndex: context.position.try });
  return policy.ownSchedule ? ownDelay(policy.schedule, delayMs) : delayMs;
}

import { asDuration, Setting } from '@form-webhooks/settings';

/** The grace holds an attempt this often: once and a bit in the fifth of it that attempts in flight are given. */
export const ATTEMPTS_IN_GRACE = 6;

/** When a delivery counts as lost. */
export class ReconcilerSettings {
  @Setting({
    env: 'RECONCILE_INTERVAL',
    meaning: 'how long after one search for deliveries that the broker lost the next one begins',
    default: '1m',
    parse: asDuration(100, 86_400_000),
  })
  readonly intervalMs: number;

  @Setting({
    env: 'RECONCILE_GRACE',
    meaning:
      'for how long a delivery must have been due, and the broker up, before it can count as lost; ' +
      `at least ${ATTEMPTS_IN_GRACE} times ATTEMPT_TIMEOUT`,
    default: '5m',
    parse: asDuration(1_000, 86_400_000),
  })
  readonly graceMs: number;
}

import { compareStandings, compareText, REASONS, TRIGGERS, WAITING_CAUSES } from '@form-webhooks/domain';
import type { DeliveryRow, DeliveryStanding, LastAttempt } from '../deliveries/delivery-row.js';

/**
 * What two accounts of one delivery say together. Every part is a maximum or a sum, so that any order of records ends
 * in the same row: the higher standing, the later attempt, the first acceptance, all attempts.
 */
export function mergeRows(a: DeliveryRow, b: DeliveryRow): DeliveryRow {
  return {
    identity: a.identity,
    acceptedAt: Math.min(a.acceptedAt, b.acceptedAt),
    standing: compareWhole(a.standing, b.standing) >= 0 ? a.standing : b.standing,
    lastAttempt: laterAttempt(a.lastAttempt, b.lastAttempt),
    attemptCount: a.attemptCount + b.attemptCount,
  };
}

export function isSameRow(a: DeliveryRow, b: DeliveryRow): boolean {
  return (
    a.acceptedAt === b.acceptedAt &&
    a.attemptCount === b.attemptCount &&
    compareWhole(a.standing, b.standing) === 0 &&
    compareLastAttempts(a.lastAttempt, b.lastAttempt) === 0
  );
}

/**
 * `compareStandings`, then whatever makes the order total: two dispatchers that made the same step (a redelivery after
 * a crash) differ in times or reason only, and one of them must win whichever comes first.
 */
function compareWhole(a: DeliveryStanding, b: DeliveryStanding): number {
  return (
    compareStandings(a, b) ||
    rank(REASONS, a.reason) - rank(REASONS, b.reason) ||
    compareEarlierFirst(a.completedAt, b.completedAt) ||
    compareEarlierFirst(a.nextAttemptAt, b.nextAttemptAt) ||
    compareEarlierFirst(a.generationStartedAt, b.generationStartedAt) ||
    rank(TRIGGERS, a.trigger) - rank(TRIGGERS, b.trigger) ||
    rank(WAITING_CAUSES, a.waitsFor) - rank(WAITING_CAUSES, b.waitsFor)
  );
}

const laterAttempt = (a: LastAttempt | null, b: LastAttempt | null): LastAttempt | null =>
  compareLastAttempts(a, b) >= 0 ? a : b;

/** As with states, a success is the last word of its generation: the list shows the answer that made it `delivered`. */
function compareLastAttempts(a: LastAttempt | null, b: LastAttempt | null): number {
  if (!a || !b) return Number(a !== null) - Number(b !== null);
  return (
    a.generation - b.generation ||
    Number(isSuccess(a)) - Number(isSuccess(b)) ||
    a.try - b.try ||
    a.startedAt - b.startedAt ||
    (a.status ?? 0) - (b.status ?? 0) ||
    compareText(a.error ?? '', b.error ?? '')
  );
}

const isSuccess = ({ status }: LastAttempt): boolean => status !== null && status >= 200 && status <= 299;

const rank = <T>(values: readonly T[], value: T | null): number => (value === null ? -1 : values.indexOf(value));

/** Positive if `a` is earlier; a moment that is known beats one that isn't. */
function compareEarlierFirst(a: number | null, b: number | null): number {
  return a === null || b === null ? Number(a !== null) - Number(b !== null) : b - a;
}

import { createHash } from 'node:crypto';
import { parseDuration } from '../duration.js';

/** The delays between attempts, in milliseconds: `n` rungs allow `n + 1` attempts. */
export type RetrySchedule = readonly number[];

export const DEFAULT_RETRY_SCHEDULE = '10s,30s,90s,270s,810s,2430s,7290s';
const MAX_RUNGS = 32;
const MAX_RUNG_MS = 7 * 86_400_000;
/** Over how much of a rung the retries that wait on it are spread, behind its end: none is early. */
const SPREAD = 0.3;
/**
 * The delays within a rung that one endpoint's deliveries take; each is a queue. The shared queues have as many for a
 * rung, so that each place has one there that is not shorter.
 */
const PLACES = 6;

/** The delays of what waits for a question to be answered, or for an endpoint that gives no answer (1 s to 3 h). */
export const DEFERRAL_RUNGS_MS: readonly number[] = [
  1_000, 4_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 10_800_000,
];

/** Waits that receivers commonly ask for (`Retry-After: 30`); each is made to the second. */
const ASKED_EXACTLY_MS: readonly number[] = [
  1_000, 2_000, 3_000, 5_000, 10_000, 15_000, 20_000, 30_000, 45_000, 60_000, 90_000, 120_000, 180_000, 300_000,
  600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000,
];

/**
 * The schedule that a setting such as `10s,30s,90s` means.
 * @throws RangeError if a rung is no duration, is 0, or the schedule is empty or too long
 */
export function parseRetrySchedule(text: string): RetrySchedule {
  const rungs = text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(parseDuration);
  if (rungs.length === 0 || rungs.length > MAX_RUNGS) {
    throw new RangeError(`a retry schedule has 1 to ${MAX_RUNGS} delays separated by commas, such as 10s,30s,90s`);
  }
  const bad = rungs.find((ms) => ms < 1 || ms > MAX_RUNG_MS);
  if (bad !== undefined) throw new RangeError(`a delay of ${bad} ms is outside 1ms to 7d`);
  return rungs;
}

/** Whose retry it is: the same answers give the same delay, also when the message comes redelivered. */
export interface Retry {
  readonly deliveryId: string;
  readonly endpointId: string;
  /** The try that failed, from 0. */
  readonly tryIndex: number;
}

/**
 * A rung as it is for one retry: up to three tenths longer, never shorter. What fails at the same moment comes back
 * evenly over these three tenths. A queue holds one delay, so an endpoint's deliveries share a few places in it; each
 * endpoint's places are its own.
 */
export function spreadDelay(rungMs: number, { deliveryId, endpointId, tryIndex }: Retry): number {
  const place = hashOf(`${deliveryId}:${tryIndex}`) % PLACES;
  const shift = hashOf(endpointId) / HASHES;
  return Math.ceil(rungMs * (1 + (SPREAD * (place + shift)) / PLACES));
}

/**
 * How long a retry waits whose receiver asked for `askedMs`: never less, and more by no more than a tenth or 2 s,
 * whichever is longer. What is longer than every rung counts as the longest one. It is not spread: the receiver has
 * said when, and what it said at different moments falls due at different moments.
 */
export function delayAsked(schedule: RetrySchedule, askedMs: number): number {
  const longest = Math.max(...DEFERRAL_RUNGS_MS, ...schedule);
  return nextLongerRung(sharedRungs(schedule), Math.min(askedMs, longest));
}

/**
 * How long a retry of an endpoint with a schedule of its own waits: one of the delays that have a shared queue, never
 * less than `ms`, and more by no more than a tenth or 2 s, whichever is longer. So however many owners want however
 * many delays, there are no more queues.
 * @param schedule the installation's
 */
export const ownDelay = (schedule: RetrySchedule, ms: number): number => nextLongerRung(sharedRungs(schedule), ms);

/**
 * The delays that have a shared retry queue, ascending: the deferral rungs, several for each rung of the schedule, so
 * that any retry's delay has one that is not shorter and the retries stay spread there too, and so many between that a
 * receiver can ask for any wait. An endpoint's own queues for what receivers ask for have the same delays: there are
 * never more of them, whatever is asked for.
 */
export const sharedRungs = (schedule: RetrySchedule): readonly number[] =>
  withoutGaps(ascending([...DEFERRAL_RUNGS_MS, ...ASKED_EXACTLY_MS, ...schedule.flatMap(sharedPlaces)]));

/** Turns that are so near are kept to the second, in seconds. */
const TURNS_TO_THE_SECOND = 20;

/**
 * The delays on which what is put off waits for its turn, ascending: those that have a shared queue, each whole second
 * of the first 20, and 1.5 and 2.5 s. So nothing waits longer than its estimate by more than a tenth or 2 s, and the
 * fewer come back together, the more evenly they are attempted.
 */
export const turnRungs = (schedule: RetrySchedule): readonly number[] =>
  ascending([
    1_500,
    2_500,
    ...Array.from({ length: TURNS_TO_THE_SECOND }, (_, n) => (n + 1) * 1_000),
    ...sharedRungs(schedule).filter((ms) => ms >= 1_000),
  ]);

/** Adds delays, from 1 s on, until each is longer than the one before it by a tenth or 2 s at most. */
function withoutGaps(delays: readonly number[]): number[] {
  const closed: number[] = [];
  for (const delay of delays) {
    for (let last = closed.at(-1) ?? delay; last >= 1_000 && delay > stepAfter(last);) {
      last = stepAfter(last);
      closed.push(last);
    }
    closed.push(delay);
  }
  return closed;
}

const stepAfter = (ms: number): number => Math.max(ms + 2_000, Math.floor((ms * 1.1) / 1_000) * 1_000);

const sharedPlaces = (rungMs: number): number[] =>
  Array.from({ length: PLACES }, (_, place) => Math.ceil(rungMs * (1 + (SPREAD * (place + 1)) / PLACES)));

const ascending = (delays: readonly number[]): number[] => [...new Set(delays)].sort((a, b) => a - b);

/** One more than the greatest hash. */
const HASHES = 2 ** 32;
const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0);

/** The first rung that is not shorter than `ms`, or the longest one. `rungs` must be ascending and not empty. */
export function nextLongerRung(rungs: readonly number[], ms: number): number {
  return rungs.find((rung) => rung >= ms) ?? rungs[rungs.length - 1]!;
}

/** The rung of what has waited `times` times before: the next one each time, and the last one ever after. */
export const rungAfter = (rungs: readonly number[], times: number): number => rungs[Math.min(times, rungs.length - 1)]!;

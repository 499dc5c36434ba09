import { createHash } from 'node:crypto';
import { parseDuration } from '../duration.js';

/** The delays between attempts, in milliseconds: `n` rungs allow `n + 1` attempts. */
export type RetrySchedule = readonly number[];

export const DEFAULT_RETRY_SCHEDULE = '10s,30s,90s,270s,810s,2430s,7290s';
const MAX_RUNGS = 32;
const MAX_RUNG_MS = 7 * 86_400_000;
/** How far an endpoint's id can lengthen a rung, as a share of it. */
const MAX_STRETCH = 0.1;

/** The rungs on which a delivery is put off without using up a try (1 s to 3 h). */
export const DEFERRAL_RUNGS_MS: readonly number[] = [
  1_000, 4_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 10_800_000,
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

/**
 * The factor from 1 to 1.1 that is fixed for an endpoint, so that the retries after an outage don't all come at once.
 */
export function stretchOf(endpointId: string): number {
  const sample = createHash('sha256').update(endpointId).digest().readUInt32BE(0);
  return 1 + (sample / 0xffff_ffff) * MAX_STRETCH;
}

/** The delay before the attempt that follows try `tryIndex`, lengthened for this endpoint; undefined once exhausted. */
export function delayAfter(schedule: RetrySchedule, tryIndex: number, endpointId: string): number | undefined {
  const rung = schedule[tryIndex];
  return rung === undefined ? undefined : Math.ceil(rung * stretchOf(endpointId));
}

/**
 * The delays that have a shared retry queue, ascending: the deferral rungs and every schedule rung at its longest
 * stretch, so that any endpoint's rung has one that is not shorter.
 */
export function standingRungs(schedule: RetrySchedule): readonly number[] {
  const stretched = schedule.map((ms) => Math.ceil(ms * (1 + MAX_STRETCH)));
  return [...new Set([...DEFERRAL_RUNGS_MS, ...stretched])].sort((a, b) => a - b);
}

/** The first rung that is not shorter than `ms`, or the longest one. `rungs` must be ascending and not empty. */
export function nextLongerRung(rungs: readonly number[], ms: number): number {
  return rungs.find((rung) => rung >= ms) ?? rungs[rungs.length - 1]!;
}

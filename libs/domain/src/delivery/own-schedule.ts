import { formatDuration, parseDuration } from '../duration.js';
import { ownDelay, type RetrySchedule } from './retry-schedule.js';

/** What an installation lets the owners of endpoints have. */
export interface ScheduleBounds {
  /** Delays in a schedule at most. */
  readonly maxDelays: number;
  /** The longest one, ms. */
  readonly maxDelayMs: number;
  /** How long after it began a delivery may still start an attempt, ms: what comes later would never be made. */
  readonly deliveryMaxAgeMs: number;
  /** The installation's schedule, whose queues they use. */
  readonly schedule: RetrySchedule;
}

/** What is wrong with a schedule, and what would be right. */
export interface ScheduleProblem {
  readonly code: 'empty' | 'too_many' | 'format' | 'too_small' | 'too_large';
  readonly message: string;
}

/** The shortest delay that an owner can ask for, ms: the shortest one that has a queue in any installation. */
const SHORTEST_OWN_DELAY_MS = 1_000;
/** A retry is up to so much longer than its rung. */
const LONGEST_SHARE = 1.3;

/** An endpoint's own schedule, of delays such as `30s`, `5m` or `2h`; or the first thing that is wrong with it. */
export function readOwnSchedule(
  delays: readonly string[],
  bounds: ScheduleBounds,
): { readonly schedule: RetrySchedule } | ScheduleProblem {
  const { maxDelays, maxDelayMs, deliveryMaxAgeMs } = bounds;
  if (delays.length === 0)
    return { code: 'empty', message: 'A retry schedule has at least one delay; null takes it away.' };
  if (delays.length > maxDelays) {
    return {
      code: 'too_many',
      message: `A retry schedule has at most ${maxDelays} delays; this one has ${delays.length}.`,
    };
  }
  const schedule: number[] = [];
  for (const delay of delays) {
    const read = readDelay(delay, maxDelayMs);
    if (typeof read !== 'number') return read;
    schedule.push(read);
  }
  const totalMs = schedule.reduce((sum, ms) => sum + ownDelay(bounds.schedule, LONGEST_SHARE * ms), 0);
  // The attempt before takes time as well: a last delay that ends just then would end too late.
  if (totalMs < deliveryMaxAgeMs) return { schedule };
  const message =
    `With up to three tenths that each is longer, these delays can take ${span(totalMs)}; ` +
    `a delivery is given up after ${span(deliveryMaxAgeMs)}, so the last attempts would not be made.`;
  return { code: 'too_large', message };
}

/** A schedule as its owner writes it. */
export const showOwnSchedule = (schedule: RetrySchedule | null): string[] | null =>
  schedule && schedule.map(formatDuration);

function readDelay(text: string, maxDelayMs: number): number | ScheduleProblem {
  const range = `from ${formatDuration(SHORTEST_OWN_DELAY_MS)} to ${formatDuration(maxDelayMs)}`;
  let ms: number;
  try {
    ms = parseDuration(text);
  } catch {
    const message = `"${text}" is not a delay: write a whole number and a unit, ${range}, such as 30s or 5m.`;
    return { code: 'format', message };
  }
  if (ms < SHORTEST_OWN_DELAY_MS) return { code: 'too_small', message: `A delay is ${range}; "${text}" is shorter.` };
  if (ms > maxDelayMs) return { code: 'too_large', message: `A delay is ${range}; "${text}" is longer.` };
  return ms;
}

/** In hours, minutes and seconds, so that two of them can be held against each other; `24h` and `1d` could not. */
function span(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const parts = [`${Math.floor(seconds / 3_600)}h`, `${Math.floor(seconds / 60) % 60}m`, `${seconds % 60}s`];
  return parts.filter((part) => !part.startsWith('0')).join(' ');
}

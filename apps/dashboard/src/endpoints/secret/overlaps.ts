import type { TextId } from '../../text/text.js';

const HOUR = 3_600;
const LONGEST = 7 * 24 * HOUR;

type Offered = readonly (readonly [seconds: number, id: TextId])[];

/** How long an earlier secret signs beside the present one, as the page offers it; the first is meant usually. */
export const OVERLAPS: Offered = [
  [24 * HOUR, 'rotation.overlap.day'],
  [HOUR, 'rotation.overlap.hour'],
  [LONGEST, 'rotation.overlap.week'],
  [0, 'rotation.overlap.none'],
];

/** When an earlier secret ends at the latest, ms since the epoch: the service cuts what is asked for beyond. */
export const latestEnd = (replacedAt: string): number => Date.parse(replacedAt) + LONGEST * 1_000;

/** How long from now on an earlier secret can still sign, the shortest first: the last is up to its latest end. */
export const overlapsLeft = (replacedAt: string, now: number): Offered => [
  ...OVERLAPS.filter(([seconds]) => seconds < LONGEST && now + seconds * 1_000 < latestEnd(replacedAt)).toSorted(
    ([a], [b]) => a - b,
  ),
  [LONGEST, 'overlap.latest'],
];

import type { TextId } from '../../text/text.js';

const HOUR = 3_600;

/** How long an earlier secret signs beside the present one, as the page offers it; the first is what is meant usually. */
export const OVERLAPS: readonly (readonly [seconds: number, id: TextId])[] = [
  [24 * HOUR, 'rotation.overlap.day'],
  [HOUR, 'rotation.overlap.hour'],
  [7 * 24 * HOUR, 'rotation.overlap.week'],
  [0, 'rotation.overlap.none'],
];

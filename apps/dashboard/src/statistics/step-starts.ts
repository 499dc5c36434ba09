import type { Stats } from '../api/queries.js';

export const STEP_MS = { '1h': 3_600_000, '6h': 21_600_000, '1d': 86_400_000 } as const;

/** The API gives no more, but for one when clocks are put back; a range that says otherwise is cut. */
const MAX_STEPS = 201;

/** A range of statistics as the API gives it: `from` begins the first step, by the clocks of the zone. */
export type StepRange = Pick<Stats, 'from' | 'to' | 'step' | 'timezone'>;

/**
 * When each step begins, ms since the epoch: as long after the one before as the zone's clocks say, so that days and
 * quarters of a day begin at the same time of the day when clocks are put forward or back.
 * @param given beginnings of steps that the API named: they are what counts where a zone does it otherwise
 */
export function stepStarts({ from, to, step, timezone }: StepRange, given: ReadonlySet<number>): number[] {
  const [begin, end, length] = [Date.parse(from), Date.parse(to), STEP_MS[step]];
  const offset = offsetsOf(timezone);
  const known = [...given].sort((a, b) => a - b);
  const starts: number[] = [];
  for (let at = begin; at < end && starts.length < MAX_STEPS;) {
    starts.push(at);
    const equal = at + length;
    // Hours are hours; only what is longer follows the clocks.
    const next = step === '1h' ? equal : equal - (offset(equal) - offset(at));
    at = known.find((one) => one > starts.at(-1)! && Math.abs(one - next) < length / 2) ?? next;
  }
  return starts;
}

/** How far the clocks of a zone are from UTC at a moment, ms. */
function offsetsOf(timezone: string | null): (at: number) => number {
  if (timezone === null) return () => 0;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
  return (at) => {
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(format.format(at)) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  };
}

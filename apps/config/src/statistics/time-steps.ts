import type { StatsStep } from '@form-webhooks/http-api';

const HOUR_MS = 3_600_000;
const HOURS: Readonly<Record<StatsStep, number>> = { '1h': 1, '6h': 6, '1d': 24 };

/** How long a step is, ms, where no clock is put forward or back in it. */
export const lengthOf = (step: StatsStep): number => HOURS[step] * HOUR_MS;

/** When each step begins, if all are as long as the first, ms since the epoch. */
export function equalSteps(from: number, to: number, step: StatsStep): number[] {
  const length = lengthOf(step);
  return Array.from({ length: Math.ceil((to - from) / length) }, (_, index) => from + index * length);
}

/** Clocks of a time zone (an IANA name). A day has 23 or 25 hours there when they are put forward or back. */
export class ZoneClock {
  private readonly format: Intl.DateTimeFormat;

  constructor(timezone: string) {
    this.format = new Intl.DateTimeFormat('en-US-u-hc-h23', {
      timeZone: timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  }

  /** The beginnings of the steps, by these clocks, that have a moment of the range; the first may lie before it. */
  steps(from: number, to: number, step: StatsStep): number[] {
    const starts: number[] = [];
    for (let at = this.beginning(from, step); at < to; at = this.next(at, step)) starts.push(at);
    return starts;
  }

  private next(at: number, step: StatsStep): number {
    // Long enough for a day of 25 hours, and never as long as two steps.
    const within = at + lengthOf(step) * (step === '1h' ? 1 : 1.3);
    const next = this.beginning(within, step);
    // An hour that clocks show twice begins twice.
    return next > at ? next : at + lengthOf(step);
  }

  /** When the step began, by these clocks, that a moment lies in. */
  private beginning(at: number, step: StatsStep): number {
    const shown = this.shownAt(at);
    const wanted = shown - (shown % lengthOf(step));
    // What the clocks show at that distance tells how far they were moved in between.
    const guess = at - (shown - wanted);
    const off = this.shownAt(guess) - wanted;
    return off === 0 ? guess : this.afterGap(guess - off, wanted);
  }

  /** Where clocks were put forward over the beginning of a step, it begins with the first moment after the gap. */
  private afterGap(at: number, wanted: number): number {
    return this.shownAt(at) >= wanted ? at : at + HOUR_MS;
  }

  /** What the clocks show, as if they showed UTC, ms since the epoch. */
  private shownAt(at: number): number {
    const parts = new Map(this.format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const [year, month, day] = [parts.get('year')!, parts.get('month')!, parts.get('day')!];
    const [hour, minute, second] = [parts.get('hour')!, parts.get('minute')!, parts.get('second')!];
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1_000) + 1_000) % 1_000);
  }
}

/**
 * How far the database's clock may be off that of whoever drops days. More than a clock that drifts ever comes to, and
 * less than would cost anybody a day that he may still read.
 */
const CLOCK_TOLERANCE_MS = 3_600_000;

/** Days are past their retention by the clock that counts, and none was dropped: rather a wrong clock than that. */
export abstract class DropRefused extends Error {
  /** @param days how many are past their retention, or seem to be */
  constructor(
    readonly days: number,
    message: string,
  ) {
    super(message);
  }
}

/** More days are to be dropped than a round may drop. */
export class TooManyDays extends DropRefused {
  override readonly name = 'TooManyDays';

  constructor(days: number, limit: number) {
    super(
      days,
      `${days} days of the delivery log are past their retention, more than the ${limit} that are dropped at once`,
    );
  }
}

/**
 * The database's clock and this process's differ, so one of them is wrong. Where the log has few days their count shows
 * nothing: a month ahead all of them are due, today's with them. Which of the days have rows shows nothing either, since
 * a service to which nobody sends for a month must drop the last of them all the same.
 */
export class ClocksDiffer extends DropRefused {
  override readonly name = 'ClocksDiffer';

  constructor(days: number, offsetMs: number) {
    const hours = Math.round(Math.abs(offsetMs) / 3_600_000);
    const way = offsetMs > 0 ? 'ahead of' : 'behind';
    super(days, `the database's clock is ${hours} hours ${way} this one: no day of the delivery log is dropped`);
  }
}

/** @throws ClocksDiffer unless both clocks, ms since the epoch, tell about the same */
export function refuseUnlessClocksAgree(days: number, databaseNow: number, ownNow: number): void {
  const offsetMs = databaseNow - ownNow;
  if (Math.abs(offsetMs) > CLOCK_TOLERANCE_MS) throw new ClocksDiffer(days, offsetMs);
}

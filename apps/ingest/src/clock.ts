/** Time, as tests can set it. */
export abstract class Clock {
  /** Milliseconds since the epoch; can step when the machine's clock is set. */
  abstract now(): number;
  /** Milliseconds that only ever grow; says nothing about the date. */
  abstract elapsed(): number;
}

export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }

  override elapsed(): number {
    return performance.now();
  }
}

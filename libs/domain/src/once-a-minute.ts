const MINUTE_MS = 60_000;

/**
 * Says of what repeats itself when it is to be told: a thousand messages that meet the same failure need no thousand
 * lines, which would hide what else goes wrong.
 */
export class OnceAMinute {
  private readonly toldAt = new Map<string, number>();

  /** @param elapsed ms of a clock that only ever grows: a step of the wall clock must silence nothing */
  constructor(private readonly elapsed: () => number = () => performance.now()) {}

  /**
   * Whether to tell it now: true if it was not true within the last minute.
   *
   * @param what tells things apart that are told each for itself; of a closed set, since each is remembered
   */
  isDue(what = ''): boolean {
    const now = this.elapsed();
    if (now - (this.toldAt.get(what) ?? -Infinity) < MINUTE_MS) return false;
    this.toldAt.set(what, now);
    return true;
  }
}

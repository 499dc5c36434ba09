/** So many messages of each delay are remembered, one a second: at least those of a quarter of an hour. */
const REMEMBERED = 1_000;
const REMEMBER_EVERY_MS = 1_000;
/** How long a stranded queue is left out if nothing comes out of it: then one message more tells whether it still is. */
const LEFT_OUT_MS = 3_600_000;

interface Delay {
  /** When the remembered messages should come out of it, by their ids, oldest first. */
  readonly dueAt: Map<string, number>;
  rememberedAt: number;
  cameOutAt: number;
  leftOutUntil: number;
}

/**
 * Which shared queues keep what has expired, as after nodes of the broker were killed [trap 19]: one of which a message is
 * published again as lost, and nothing at all has come out since that was due, though out of others something has. It has
 * proven well as soon as anything comes out of it. Only what was put there in this session counts: with the one before the
 * broker may have lost it.
 */
export class StrandedRungs {
  private readonly delays = new Map<number, Delay>();

  /** @param rungsMs all there are, which bounds what is remembered */
  constructor(rungsMs: readonly number[]) {
    for (const rung of rungsMs) {
      const never = { rememberedAt: -Infinity, cameOutAt: -Infinity, leftOutUntil: -Infinity };
      this.delays.set(rung, { dueAt: new Map(), ...never });
    }
  }

  beginSession(): void {
    for (const { dueAt } of this.delays.values()) dueAt.clear();
  }

  has(rung: number): boolean {
    return performance.now() < (this.delays.get(rung)?.leftOutUntil ?? -Infinity);
  }

  /** The queue has taken a message, which was published at that time by the monotonic clock. */
  placed(rung: number, id: string, at: number): void {
    const delay = this.delays.get(rung);
    if (!delay || at - delay.rememberedAt < REMEMBER_EVERY_MS) return;
    delay.rememberedAt = at;
    if (delay.dueAt.size >= REMEMBERED) delay.dueAt.delete(delay.dueAt.keys().next().value!);
    delay.dueAt.set(id, at + rung);
  }

  /** A message came out of it. */
  cameOut(rung: number, id: string): void {
    const delay = this.delays.get(rung);
    if (!delay) return;
    delay.dueAt.delete(id);
    delay.cameOutAt = performance.now();
    delay.leftOutUntil = -Infinity;
  }

  /**
   * A message was published again, since no queue had it any more.
   * @returns the rung that this shows to be stranded, if that is news
   */
  lost(id: string): number | undefined {
    for (const [rung, delay] of this.delays) {
      const dueAt = delay.dueAt.get(id);
      if (dueAt === undefined) continue;
      delay.dueAt.delete(id);
      if (delay.cameOutAt >= dueAt || !this.anyCameOutSince(dueAt)) return undefined;
      const isNews = !this.has(rung);
      delay.leftOutUntil = performance.now() + LEFT_OUT_MS;
      return isNews ? rung : undefined;
    }
    return undefined;
  }

  private anyCameOutSince(at: number): boolean {
    return [...this.delays.values()].some(({ cameOutAt }) => cameOutAt >= at);
  }
}

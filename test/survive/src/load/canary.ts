import type { Form, Load, LoadEvent } from './load.js';
import type { Door } from './publisher.js';
import type { Receivers } from '../receivers/receivers.js';

/** Markers of canaries start here, above those of all other events. */
const FIRST_CANARY = 1_000_000_000;

/** Sends an event that nothing disturbs, to see whether the whole way is open again. Canaries are judged as all events. */
export class Canary {
  private sent = 0;
  private readonly waiting = new Map<number, () => void>();

  constructor(
    private readonly load: Load,
    readonly form: Form,
    private readonly door: Door,
    receivers: Receivers,
  ) {
    receivers.watch(form.endpoints[0]!.path, (marker) => this.waiting.get(marker)?.());
  }

  get count(): number {
    return this.sent;
  }

  /** All that were sent. */
  get events(): LoadEvent[] {
    return Array.from({ length: this.sent }, (_, n) => this.load.event(FIRST_CANARY + n, this.form));
  }

  /** Resolves with how long one took to arrive, ms. @throws Error if it doesn't in time */
  async fly(withinMs: number): Promise<number> {
    const marker = FIRST_CANARY + this.sent++;
    const began = performance.now();
    const inTime = AbortSignal.timeout(withinMs);
    const arrived = new Promise<void>((resolve, reject) => {
      this.waiting.set(marker, resolve);
      inTime.addEventListener('abort', () => reject(new Error(`no event came through within ${withinMs / 1_000} s`)));
    });
    try {
      await Promise.all([this.door.publish(this.load.event(marker, this.form), inTime), arrived]);
    } finally {
      this.waiting.delete(marker);
    }
    return performance.now() - began;
  }
}

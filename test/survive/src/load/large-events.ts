import type { Form, Load, LoadEvent } from './load.js';
import type { Door } from './publisher.js';
import type { Receivers } from '../receivers/receivers.js';

/** Markers of large events start here, above those of the canaries. */
const FIRST_LARGE = 2_000_000_000;
/** Of its text; with all that is around it an event stays below the limit of a MiB. */
const LARGE_TEXT_BYTES = 1_000_000;
const AT_A_TIME = 5;

/** Events of about a MiB to a form with many endpoints that answer late. They are judged as all events. */
export class LargeEvents {
  private begun = 0;
  private readonly arrived = new Set<string>();

  constructor(
    private readonly load: Load,
    readonly form: Form,
    private readonly door: Door,
    receivers: Receivers,
  ) {
    for (const { path } of form.endpoints) receivers.watch(path, (marker) => this.arrived.add(`${path} ${marker}`));
  }

  /** All that were begun. */
  get events(): LoadEvent[] {
    return Array.from({ length: this.begun }, (_, n) => this.eventOf(FIRST_LARGE + n));
  }

  /** How many deliveries of them have not arrived yet. */
  get missing(): number {
    return this.begun * this.form.endpoints.length - this.arrived.size;
  }

  /** Resolves once so many are accepted. @throws Error if they are not in time */
  async send(count: number, withinMs: number): Promise<void> {
    const inTime = AbortSignal.timeout(withinMs);
    const last = this.begun + count;
    const sendOneAfterAnother = async (): Promise<void> => {
      while (this.begun < last) {
        const marker = FIRST_LARGE + this.begun++;
        await this.door.publish(this.eventOf(marker), inTime);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, sendOneAfterAnother));
  }

  private eventOf(marker: number): LoadEvent {
    return this.load.largeEvent(marker, this.form, LARGE_TEXT_BYTES);
  }
}

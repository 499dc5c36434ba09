import type { Form, Load, LoadEvent } from './load.js';
import type { Door } from './publisher.js';
import type { Receivers } from '../receivers/receivers.js';

/** What is sent to the form. */
export interface EventKind {
  /** Markers of such events start here, apart from those of all others. */
  readonly firstMarker: number;
  readonly textBytes: number;
  /** How many wait for their 202 at a time. */
  readonly atATime: number;
}

/** With all that is around its text an event stays below the limit of a MiB. Above the canaries' markers. */
export const LARGE: EventKind = { firstMarker: 2_000_000_000, textBytes: 1_000_000, atATime: 5 };
/** As many as come at once when somebody imports a file, or is attacked. */
export const FLOOD: EventKind = { firstMarker: 3_000_000_000, textBytes: 300, atATime: 32 };

/** Events of one kind to a form of their own. They are judged as all events. */
export class EventsToOneForm {
  private begun = 0;
  private readonly arrived = new Set<string>();

  constructor(
    private readonly load: Load,
    readonly form: Form,
    private readonly door: Door,
    private readonly kind: EventKind,
    receivers: Receivers,
  ) {
    for (const { path } of form.endpoints) receivers.watch(path, (marker) => this.arrived.add(`${path} ${marker}`));
  }

  /** All that were begun. */
  get events(): LoadEvent[] {
    return Array.from({ length: this.begun }, (_, n) => this.eventOf(this.kind.firstMarker + n));
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
        const marker = this.kind.firstMarker + this.begun++;
        await this.door.publish(this.eventOf(marker), inTime);
      }
    };
    await Promise.all(Array.from({ length: this.kind.atATime }, sendOneAfterAnother));
  }

  private eventOf(marker: number): LoadEvent {
    return this.load.eventOfSize(marker, this.form, this.kind.textBytes);
  }
}

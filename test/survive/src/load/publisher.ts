import { setTimeout as wait } from 'node:timers/promises';
import type { Backlog } from './backlog.js';
import type { Load, LoadEvent } from './load.js';

/** A way into the product. Resolves once the event is accepted for certain, however long that takes. */
export abstract class Door {
  abstract readonly name: string;
  /** @throws EventRefused if the product says that the event is wrong, which it never is */
  abstract publish(event: LoadEvent, signal: AbortSignal): Promise<void>;
}

/** The product turned a good event down. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
}

const TICK_MS = 20;
/** More than these wait for their 202 only in an outage; then the form service would wait too. */
const MAX_IN_FLIGHT = 400;

/** The form service: sends events at a steady rate, each again and again under its key until it is accepted. */
export class Publisher {
  /** When each event was begun, by its marker, ms since the epoch. */
  readonly begunAt: number[] = [];
  private next = 0;
  private inFlight = 0;
  private running = false;
  private loop: Promise<void> | undefined;
  private readonly giveUp = new AbortController();
  readonly failures: string[] = [];

  constructor(
    private readonly load: Load,
    private readonly doors: readonly Door[],
    private readonly perSecond: number,
    private readonly backlog: Backlog,
  ) {}

  /** How many events were begun: their markers are 0 up to this. */
  get begun(): number {
    return this.next;
  }

  get accepted(): number {
    return this.next - this.inFlight;
  }

  start(): void {
    this.running = true;
    this.loop = this.run();
  }

  /** Begins no more, and resolves once all that were begun are accepted. @returns whether they were in time */
  async stop(withinMs: number): Promise<boolean> {
    this.running = false;
    await this.loop;
    const deadline = Date.now() + withinMs;
    while (this.inFlight > 0 && Date.now() < deadline) await wait(TICK_MS);
    const inTime = this.inFlight === 0;
    this.giveUp.abort();
    return inTime;
  }

  private async run(): Promise<void> {
    let due = 0;
    for (let last = performance.now(); this.running;) {
      await wait(TICK_MS);
      const now = performance.now();
      due = Math.min(due + ((now - last) * this.perSecond) / 1_000, this.perSecond);
      last = now;
      const mayBegin = (): boolean => this.inFlight < MAX_IN_FLIGHT && this.backlog.hasRoomAfter(this.accepted);
      for (; due >= 1 && mayBegin(); due -= 1) this.begin(this.load.event(this.next++));
    }
  }

  private begin(event: LoadEvent): void {
    const door = this.doors[event.marker % this.doors.length]!;
    this.inFlight += 1;
    this.begunAt[event.marker] = Date.now();
    door
      .publish(event, this.giveUp.signal)
      .catch((error: unknown) =>
        this.failures.push(`event ${event.marker} by ${door.name}: ${(error as Error).message}`),
      )
      .finally(() => (this.inFlight -= 1));
  }
}

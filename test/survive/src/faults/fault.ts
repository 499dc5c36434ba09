import { setTimeout as wait } from 'node:timers/promises';
import type { Canary } from '../load/canary.js';
import type { EventsToOneForm } from '../load/events-to-one-form.js';
import type { Need } from '../settings.js';
import type { SeededRandom } from '../load/random.js';
import type { Service } from '../stage/service.js';
import type { Stage } from '../stage/stage.js';

/** How long outages last, ms. */
export interface OutageSpans {
  readonly short: readonly [number, number];
  readonly long: readonly [number, number];
}

/** Events beside the steady load, of which a run has those that its faults need. */
export interface OtherEvents {
  readonly large?: EventsToOneForm | undefined;
  readonly flood?: EventsToOneForm | undefined;
}

/** What a fault works with. */
export class Scene {
  private healingSince: number | undefined;
  /** When dispatchers were ended without notice: what they had done and not yet recorded is known to receivers only. */
  readonly deaths: number[] = [];
  /** When the database was restored from a backup: the log has forgotten some of what was before. */
  readonly restoredAt: number[] = [];
  /** What was seen while a fault struck, for the report. */
  private readonly notes: string[] = [];

  constructor(
    readonly stage: Stage,
    readonly random: SeededRandom,
    private readonly spans: OutageSpans,
    private readonly canary: Canary,
    private readonly others: OtherEvents = {},
  ) {}

  /** @throws Error in a run without them */
  get largeEvents(): EventsToOneForm {
    if (!this.others.large) throw new Error('this run has no form for large events');
    return this.others.large;
  }

  /** @throws Error in a run without it */
  get flood(): EventsToOneForm {
    if (!this.others.flood) throw new Error('this run has no form for a flood');
    return this.others.flood;
  }

  /** Resolves with how long a new event took, ms, also while something is away. @throws Error if none arrives in time */
  async fly(withinMs: number): Promise<number> {
    return this.canary.fly(withinMs);
  }

  note(text: string): void {
    this.notes.push(text);
  }

  takeNotes(): string[] {
    return this.notes.splice(0);
  }

  /** Resolves once a new event has come through, also while something is away. @throws Error if none does in time */
  async goesOn(withinMs: number): Promise<void> {
    await this.fly(withinMs);
  }

  /** The fault is being undone from now on: recovery counts from here. */
  healing(): void {
    this.healingSince = performance.now();
  }

  /** When undoing the last fault began. */
  takeHealing(): number {
    const since = this.healingSince ?? performance.now();
    this.healingSince = undefined;
    return since;
  }

  async last(span: keyof OutageSpans): Promise<void> {
    await wait(this.random.integer(...this.spans[span]));
  }

  async kill(service: Service): Promise<void> {
    if (service.plan.app === 'dispatcher') this.deaths.push(Date.now());
    await service.kill();
  }
}

/** One kind of harm: does it and undoes it. */
export interface Fault {
  readonly kind: string;
  /**
   * The broker may forget what it has confirmed: its data is wiped, it is killed, or a node of its cluster is killed or
   * cut off. Only then the reconciler has something to bring back.
   */
  readonly losesMessages?: true;
  /** What the run has to be made with. */
  readonly needs?: Need;
  strike(scene: Scene): Promise<void>;
}

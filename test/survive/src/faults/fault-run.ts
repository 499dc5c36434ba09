import { setTimeout as wait } from 'node:timers/promises';
import type { Fault, Scene } from './fault.js';

export interface StruckFault {
  readonly kind: string;
  /** When it struck and when all was well again, ms since the epoch. */
  readonly from: number;
  readonly to: number;
  /** From when undoing it began until all services were ready and an event came through again, ms. */
  readonly recoveryMs: number;
  /** Events that were accepted meanwhile. */
  readonly events: number;
}

const LONGEST_RECOVERY_MS = 180_000;
const GAP_MS = [0, 2_000] as const;

/** Strikes one fault after another, each once the product has come back from the one before. */
export class FaultRun {
  readonly struck: StruckFault[] = [];
  readonly failures: string[] = [];
  private lossy = false;

  constructor(
    private readonly scene: Scene,
    private readonly say: (line: string) => void,
    /** How many events were accepted so far. */
    private readonly accepted: () => number = () => 0,
  ) {}

  /** Whether a fault has struck, or failed to, after which the broker may have forgotten something. */
  get mayHaveLostMessages(): boolean {
    return this.lossy;
  }

  /** Every fault once, in this order. */
  async strikeAll(faults: readonly Fault[]): Promise<void> {
    for (const fault of faults) await this.strike(fault);
  }

  /** All faults in an order that the seed decides, then in another one, and so on until the time is up. */
  async strikeUntil(faults: readonly Fault[], deadline: number): Promise<void> {
    while (Date.now() < deadline) {
      for (const fault of this.scene.random.shuffled(faults)) {
        if (Date.now() >= deadline) return;
        await this.strike(fault);
        await wait(this.scene.random.integer(...GAP_MS));
      }
    }
  }

  private async strike(fault: Fault): Promise<void> {
    const [from, before] = [Date.now(), this.accepted()];
    this.lossy ||= fault.losesMessages === true;
    try {
      await fault.strike(this.scene);
      const since = this.scene.takeHealing();
      await this.scene.stage.untilReady(LONGEST_RECOVERY_MS);
      await this.scene.goesOn(LONGEST_RECOVERY_MS);
      const recoveryMs = performance.now() - since;
      this.struck.push({ kind: fault.kind, from, to: Date.now(), recoveryMs, events: this.accepted() - before });
      const seen = this.scene.takeNotes().map((note) => `; ${note}`);
      this.say(`${fault.kind}: back after ${(recoveryMs / 1_000).toFixed(1)} s${seen.join('')}`);
    } catch (error) {
      this.scene.takeNotes();
      this.failures.push(`${fault.kind}: ${(error as Error).message}`);
      this.say(`${fault.kind}: ${(error as Error).message}`);
    }
  }
}

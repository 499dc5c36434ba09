import { reasonOf } from '../failure.js';

interface Stop {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/** What has to be stopped, the last first; each step once, and the rest also when one fails. */
export class StopList {
  private readonly stops: Stop[] = [];
  private stopping: Promise<void> | undefined;

  constructor(private readonly say: (line: string) => void) {}

  get hasBegun(): boolean {
    return this.stopping !== undefined;
  }

  add(name: string, run: () => Promise<unknown>): void {
    this.stops.push({ name, run });
  }

  /** Stops everything. Called again, it waits for the same stop. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    for (let next = this.stops.pop(); next; next = this.stops.pop()) {
      try {
        await next.run();
      } catch (thrown) {
        this.say(`${next.name} did not stop as it should: ${reasonOf(thrown)}`);
      }
    }
  }
}

import type { Problem } from '@form-webhooks/http-edge';

/** How many may wait for each that is running. */
const WAITING_PER_RUNNING = 4;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * A few pieces of work of each workspace at a time, the next ones in the order in which they came. A workspace whose work
 * takes for ever stands in its own way alone.
 */
export class WorkspaceTurns {
  private readonly lines = new Map<string, Line>();

  /** @param refusal what those get for whom there is no room to wait */
  constructor(
    private readonly atATime: number,
    private readonly refusal: () => Problem,
  ) {}

  /** @throws Problem the refusal if as many wait already as may; else what the work throws */
  async run<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(workspaceId) ?? { running: 0, waiting: [] };
    this.lines.set(workspaceId, line);
    await this.turn(line);
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      // A turn is handed over, so that nobody who comes now can take it first.
      if (next) next();
      else if (--line.running === 0) this.lines.delete(workspaceId);
    }
  }

  private turn(line: Line): Promise<void> {
    if (line.running < this.atATime) {
      line.running++;
      return Promise.resolve();
    }
    if (line.waiting.length < this.atATime * WAITING_PER_RUNNING) {
      return new Promise((resolve) => line.waiting.push(resolve));
    }
    throw this.refusal();
  }
}

import type { Problem } from '@form-webhooks/http-edge';

const WAITING_PER_RUNNING = 4;
/** With the work that follows less than what a connection may be still, or the caller would get no answer. */
const LONGEST_WAIT_MS = 20_000;

interface Line {
  running: number;
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
}

/**
 * A few pieces of work of each workspace at a time, the next ones in the order in which they came. A workspace whose work
 * takes for ever stands in its own way alone.
 */
export class WorkspaceTurns {
  private readonly lines = new Map<string, Line>();

  /**
   * @param refusal what those get for whom there is no room to wait, or whose turn has not come after 20 seconds
   * @param waitingPerRunning how many may wait for each that is running
   */
  constructor(
    private readonly atATime: number,
    private readonly refusal: () => Problem,
    private readonly waitingPerRunning = WAITING_PER_RUNNING,
  ) {}

  /** @throws Problem the refusal if as many wait already as may, or it took too long; else what the work throws */
  async run<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(workspaceId) ?? { running: 0, waiting: new Set<() => void>() };
    this.lines.set(workspaceId, line);
    await this.turn(line);
    try {
      return await work();
    } finally {
      const [next] = line.waiting;
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
    if (line.waiting.size >= this.atATime * this.waitingPerRunning) throw this.refusal();
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(giveUp);
        line.waiting.delete(begin);
        resolve();
      };
      const giveUp = setTimeout(() => {
        line.waiting.delete(begin);
        reject(this.refusal());
      }, LONGEST_WAIT_MS);
      line.waiting.add(begin);
    });
  }
}

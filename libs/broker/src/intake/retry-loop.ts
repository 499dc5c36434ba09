import type { IncomingMessage } from '../consume/verdict.js';
import { Backoff, type BackoffLimits } from './backoff.js';
import type { HoldReason, IntakeHold } from './intake-hold.js';

export interface RetryPlan<E extends Error> extends BackoffLimits {
  /** The failures that pass by themselves. Any other is thrown at once. */
  readonly on: new (...args: never[]) => E;
  /** Why the intake is held while anything fails. */
  readonly reason: HoldReason;
  /** All that fail share their pauses and are repeated at the same time; else each has its own. */
  readonly together?: boolean;
  /** What still fails after so long is given up, ms; never by default. */
  readonly giveUpAfterMs?: number;
  /** Told of each that begins to fail, and how many fail by now, this one included. */
  readonly onFailing?: (failure: E, failing: number) => void;
}

/**
 * Does again what fails, after ever longer pauses, until it works. Meanwhile the intake is held, so that no more waits
 * here than was in flight; it is released when nothing fails any more, however that came about.
 */
export class RetryLoop<E extends Error> {
  private failing = 0;
  private shared: Backoff | undefined;

  constructor(
    private readonly intake: IntakeHold,
    private readonly plan: RetryPlan<E>,
  ) {}

  /**
   * @param givenUp nobody waits for it any more: its reason is thrown at once, though `act` may still be under way
   * @throws what is no passing failure; the last failure when the intake is stopped or it took too long
   */
  async run<T>(act: () => Promise<T>, givenUp?: AbortSignal): Promise<T> {
    try {
      return await this.once(act, givenUp);
    } catch (error) {
      const failure = this.passing(error, givenUp);
      this.failing += 1;
      this.plan.onFailing?.(failure, this.failing);
      void this.intake.hold(this.plan.reason, failure);
      try {
        return await this.repeat(act, failure, givenUp);
      } finally {
        this.failing -= 1;
        if (this.failing === 0) this.shared = undefined;
        this.intake.release(this.plan.reason);
      }
    }
  }

  /** Like `run` for what is owed to a message. @returns undefined once the broker has taken that back: it is not begun */
  async runWhileOurs<T>(message: Pick<IncomingMessage, 'isOurs'>, act: () => Promise<T>): Promise<T | undefined> {
    return this.run(async () => (message.isOurs() ? act() : undefined));
  }

  private async repeat<T>(act: () => Promise<T>, failure: E, givenUp?: AbortSignal): Promise<T> {
    const { together, giveUpAfterMs = Infinity } = this.plan;
    const backoff = together ? (this.shared ??= this.createBackoff()) : this.createBackoff();
    const startedAt = performance.now();
    for (let last = failure; ;) {
      await unlessGivenUp(() => backoff.pause(), givenUp);
      if (this.intake.stopped.aborted || performance.now() - startedAt > giveUpAfterMs) throw last;
      try {
        return await this.once(act, givenUp);
      } catch (error) {
        last = this.passing(error, givenUp);
      }
    }
  }

  private async once<T>(act: () => Promise<T>, givenUp?: AbortSignal): Promise<T> {
    const result = await unlessGivenUp(act, givenUp);
    this.shared?.reset();
    return result;
  }

  /** @throws the error itself unless it is one that passes */
  private passing(error: unknown, givenUp?: AbortSignal): E {
    if (givenUp?.aborted || !(error instanceof this.plan.on)) throw error;
    return error;
  }

  private createBackoff(): Backoff {
    return new Backoff(this.plan, this.intake.stopped);
  }
}

/** What it comes to, or the signal's reason as soon as that aborts. What is given up before it began is not begun. */
async function unlessGivenUp<T>(act: () => Promise<T>, givenUp?: AbortSignal): Promise<T> {
  if (!givenUp) return act();
  givenUp.throwIfAborted();
  let giveUp = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(givenUp.reason as Error);
    givenUp.addEventListener('abort', giveUp);
  });
  try {
    return await Promise.race([act(), aborted]);
  } finally {
    givenUp.removeEventListener('abort', giveUp);
  }
}

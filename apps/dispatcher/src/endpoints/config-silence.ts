import { inTime, OnceAMinute } from '@form-webhooks/domain';
import type { Logger } from '@form-webhooks/telemetry';
import { FormUnknown } from './form-endpoints.js';

/** Questions of a kind that are under way beside the deliveries while config answers none. */
export const MAX_ASKED_IN_SILENCE = 10;
/**
 * How long a question is waited for meanwhile. A config that is back answers within milliseconds, so nothing is put off
 * for its sake once more; and one that is frozen holds nobody for as long as a call may take.
 */
const ANSWER_WITHIN_MS = 250;

/** Whether config left the last question about a form unanswered, and for how long anybody waits for an answer then. */
export class ConfigSilence {
  private silent = false;
  private since = 0;
  private asked = 0;
  /** Where one of several configs is frozen, every other question ends a silence and the next one begins another. */
  private readonly beginnings = new OnceAMinute();
  /** Whether the log's last word is that config is silent. */
  private isSaid = false;

  constructor(private readonly logger: Logger) {}

  get lasts(): boolean {
    return this.silent;
  }

  /** For how long it has lasted, ms; 0 if config answers. */
  get ms(): number {
    return this.silent ? performance.now() - this.since : 0;
  }

  note(silent: boolean): void {
    if (silent !== this.silent) this.since = performance.now();
    this.silent = silent;
    if (silent && !this.isSaid) this.say();
    if (silent || !this.isSaid) return;
    this.isSaid = false;
    this.logger.info({}, 'config answers about forms again');
  }

  /** One that began within a minute of another is told of after that, by a further question. */
  private say(): void {
    if (!this.beginnings.isDue()) return;
    this.isSaid = true;
    this.logger.warn({}, 'config does not answer about forms: what is known of them serves on');
  }

  /** An answer that is under way. @throws FormUnknown if it doesn't come at once in a silence */
  async await<T>(answer: Promise<T>): Promise<T> {
    if (this.silent && !(await inTime(answer, ANSWER_WITHIN_MS))) throw new FormUnknown('config does not answer');
    return answer;
  }

  /** Asks, but few at a time in a silence: whoever would be one more does without. @throws FormUnknown */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.silent && this.asked >= MAX_ASKED_IN_SILENCE) throw new FormUnknown('config does not answer');
    this.asked += 1;
    return this.await(question().finally(() => (this.asked -= 1)));
  }
}

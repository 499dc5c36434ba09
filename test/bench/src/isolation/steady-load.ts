import { setTimeout as delay } from 'node:timers/promises';
import type { EventPosts } from '../event-posts.js';
import { eventText } from '../publishing.js';

const EVENT_BYTES = 300;
const LOOK_EVERY_MS = 5;

/** Events to some forms in turn, at a steady rate, until it is stopped. */
export class SteadyLoad {
  /** When each event's 202 was there, by submission, ms since the epoch. */
  readonly accepted = new Map<string, number>();
  refused = 0;
  private readonly posts = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private sent = 0;

  /** @param prefix of the submissions' ids; the receivers tell of those that begin with `s_timed` */
  constructor(
    private readonly door: EventPosts,
    private readonly forms: readonly string[],
    private readonly prefix: string,
  ) {}

  /** Sends until stopped. */
  async run(perSecond: number): Promise<void> {
    const began = performance.now();
    const before = this.sent;
    while (!this.stopping.signal.aborted) {
      const due = ((performance.now() - began) / 1_000) * perSecond;
      while (this.sent - before < due) this.send();
      await delay(LOOK_EVERY_MS);
    }
  }

  /** So many as fast as they are taken, until stopped. */
  async burst(count: number): Promise<void> {
    for (let n = 0; n < count && !this.stopping.signal.aborted; n++) {
      this.send();
      if (this.posts.size >= this.door.atATime) await Promise.race(this.posts);
    }
    await Promise.all(this.posts);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.posts);
    this.door.close();
  }

  private send(): void {
    const n = this.sent++;
    const form = this.forms[n % this.forms.length]!;
    const post = this.post(form, `${this.prefix}_${n}`).finally(() => this.posts.delete(post));
    this.posts.add(post);
  }

  private async post(form: string, submission: string): Promise<void> {
    const status = await this.door.post(eventText(form, submission, EVENT_BYTES));
    if (status === 202) this.accepted.set(submission, Date.now());
    else this.refused += 1;
  }
}

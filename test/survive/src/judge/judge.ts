import type { DeliveryLogReader } from './delivery-log.js';
import type { ExpectedDelivery } from './expectation.js';
import { Finding } from './findings.js';
import { recordedPosts } from '../receivers/record.js';
import { ATTEMPT_SPAN_MS } from '../settings.js';

export interface Judgement {
  readonly posts: number;
  readonly losses: number;
  /** POSTs of a delivery after one that its receiver had answered with a 2xx. */
  readonly duplicates: number;
  /** When they had arrived, ms since the epoch. */
  readonly duplicatesAt: readonly number[];
  /** Attempts that only receivers know of, because their dispatcher was killed before it could record them. */
  readonly unrecorded: number;
  /** Deliveries that the reconciler took for lost and published again. */
  readonly republished: number;
  /** Whatever must not be, losses included; a run passes only without any. */
  readonly faults: readonly string[];
}

/** Holds what receivers saw against what was accepted, and the log against both. */
export class Judge {
  private readonly losses = new Finding('delivery lost');
  private readonly foreign = new Finding('POST of a delivery that nothing led to, or with another id than its own');
  private readonly unsigned = new Finding('POST with a wrong signature');
  private readonly notLogged = new Finding('delivery that is not in the log');
  private readonly wrongState = new Finding('delivery that was delivered and is not `delivered` in the log');
  private readonly unknown = new Finding('delivery in the log that nothing led to, or there twice');
  private readonly unexplained = new Finding('attempt missing in the log although no dispatcher was killed');
  private posts = 0;
  private readonly duplicatesAt: number[] = [];
  private unrecorded = 0;

  constructor(
    private readonly expected: ReadonlyMap<string, ExpectedDelivery>,
    private readonly deaths: readonly number[],
    /** Whether a fault can have made the broker forget what it had confirmed. */
    private readonly mayHaveLostMessages: boolean,
    /** When the log was set back to a backup; what was sent before may not be in it, or as it was then. */
    private readonly logRestoredAt = -Infinity,
  ) {}

  async judge(recordFile: string, log: DeliveryLogReader): Promise<Judgement> {
    await this.readPosts(recordFile);
    for (const [deliveryId, { answered2xx, endpoint, marker }] of this.expected) {
      if (answered2xx === 0) this.losses.add(`${deliveryId} (event ${marker} at ${endpoint.path})`);
    }
    await this.readLog(log);
    const { posts, duplicatesAt, unrecorded } = this;
    const duplicates = duplicatesAt.length;
    const inconsistent = (await log.inconsistent()).map((what) => `inconsistent in the log: ${what}`);
    const republished = await log.republished();
    const faults = [
      ...this.findings(),
      ...inconsistent,
      ...(await this.miscounts(log)),
      ...this.unexplainedRepublications(republished),
    ];
    return { posts, losses: this.losses.count, duplicates, duplicatesAt, unrecorded, republished, faults };
  }

  /** Brought back, a lost message looks like one that was never lost; and one that was not lost was sent twice. */
  private unexplainedRepublications(republished: number): string[] {
    if (republished === 0 || this.mayHaveLostMessages) return [];
    return [
      `${republished} deliveries were lost from a queue, or taken for lost, although no fault wiped, killed or split the broker`,
    ];
  }

  private async readPosts(recordFile: string): Promise<void> {
    for await (const post of recordedPosts(recordFile)) {
      this.posts += 1;
      const delivery = this.expected.get(post.deliveryId);
      if (delivery?.endpoint.path !== post.path || delivery.marker !== post.marker) {
        this.foreign.add(`${post.deliveryId} at ${post.path}`);
        continue;
      }
      if (!post.signed) this.unsigned.add(`${post.deliveryId} at ${post.path}`);
      delivery.firstAt = Math.min(delivery.firstAt, post.at);
      if (delivery.answered2xx > 0) this.duplicatesAt.push(post.at);
      if (post.status === 0) continue;
      delivery.answered += 1;
      delivery.lastAt = Math.max(delivery.lastAt, post.at);
      if (post.status >= 200 && post.status <= 299) delivery.answered2xx += 1;
    }
  }

  private async readLog(log: DeliveryLogReader): Promise<void> {
    for await (const { deliveryId, state, attempts } of log.deliveries()) {
      const delivery = this.expected.get(deliveryId);
      if (!delivery || delivery.logged) {
        this.unknown.add(deliveryId);
        continue;
      }
      delivery.logged = true;
      if (this.mayBeForgotten(delivery)) continue;
      if (state !== 'delivered') this.wrongState.add(`${deliveryId} is ${state}`);
      if (attempts < delivery.answered) this.missingAttempts(deliveryId, delivery, delivery.answered - attempts);
    }
    for (const [deliveryId, delivery] of this.expected) {
      if (!delivery.logged && !this.mayBeForgotten(delivery)) this.notLogged.add(deliveryId);
    }
  }

  private mayBeForgotten({ firstAt }: ExpectedDelivery): boolean {
    return firstAt < this.logRestoredAt;
  }

  /** A dispatcher that was killed takes with it what it knew of attempts that had just been answered. */
  private missingAttempts(deliveryId: string, { lastAt }: ExpectedDelivery, missing: number): void {
    this.unrecorded += missing;
    const explained = this.deaths.some((death) => lastAt > death - ATTEMPT_SPAN_MS);
    if (!explained) this.unexplained.add(`${deliveryId} lacks ${missing}`);
  }

  private async miscounts(log: DeliveryLogReader): Promise<string[]> {
    const counted = await log.counted();
    const states = await log.states();
    return [...counted]
      .filter(([state, count]) => count !== (states.get(state) ?? 0))
      .map(
        ([state, count]) => `the roll-ups count ${count} ${state} deliveries, the log has ${states.get(state) ?? 0}`,
      );
  }

  private findings(): string[] {
    const { losses, foreign, unsigned, notLogged, wrongState, unknown, unexplained } = this;
    return [losses, foreign, unsigned, notLogged, wrongState, unknown, unexplained]
      .filter(({ count }) => count > 0)
      .map(String);
  }
}

import { Injectable } from '@nestjs/common';
import { Broker, PublishFailed, QUEUES, TO_LOG, toQueue } from '@form-webhooks/broker';
import { fenceMessage, logBatchMessage } from '@form-webhooks/messages';
import { fenceIdOf, type Reconciliation } from '@form-webhooks/storage';
import { OutboxRelay } from '../outbox/outbox-relay.js';
import type { ReconcileSituation } from './reconciliation-step.js';

/** The queues as the reconciler sees them: how well they stand, and a fence through one of them. */
@Injectable()
export class FencedQueues {
  /** Of the clock that nobody sets. */
  private since = performance.now();

  constructor(
    private readonly broker: Broker,
    private readonly relay: OutboxRelay,
  ) {
    for (const link of [broker.publishing, broker.consuming]) {
      link.addStep(() => Promise.resolve(this.begin()));
      // What an alarm held up comes after it, as after a reconnect.
      link.onBlocked(() => this.begin());
    }
  }

  /** @param now by the database's clock */
  situation(now: Date): ReconcileSituation {
    const outboxAgeMs = this.relay.lastBacklog().oldestSeconds * 1_000;
    return { now: now.getTime(), brokerUpForMs: this.upForMs(), outboxAgeMs };
  }

  /** While more than enough waits to be published, nothing is put behind it. */
  get full(): boolean {
    return this.relay.full;
  }

  /** What a transaction has put in the outbox is published at once. */
  announce(): void {
    this.relay.wake();
  }

  /**
   * Sends the fence of a phase through the queue that the phase is about.
   * @returns `away` if that is `dispatcher.due` of a cluster, whose node is away: there no delivery waits in it, as every
   *   delay takes the shared queues, and nothing has to be waited for
   * @throws PublishFailed
   */
  async sendFence(of: Pick<Reconciliation, 'id' | 'phase'>, sentAt: number): Promise<'sent' | 'away'> {
    try {
      await this.publishFence(of, sentAt);
      return 'sent';
    } catch (error) {
      const isRefused = error instanceof PublishFailed && error.isRefusal;
      if (of.phase === 'due' && this.broker.publishing.isCluster && isRefused) return 'away';
      throw error;
    }
  }

  private async publishFence({ id, phase }: Pick<Reconciliation, 'id' | 'phase'>, sentAt: number): Promise<void> {
    const { publisher } = this.broker;
    const fenceId = fenceIdOf(id, phase);
    if (phase === 'log') {
      const record = { kind: 'fence', fenceId, queue: QUEUES.deliveryLog, sentAt } as const;
      return publisher.publish(TO_LOG, logBatchMessage([record]));
    }
    const queue = phase === 'due' ? QUEUES.due : QUEUES.deliveries;
    // Through the events first, from where dispatchers pass it on: an event that comes again makes its deliveries. Not
    // through the other lanes, which may be long; what comes again stands at their head.
    const first = phase === 'due' ? queue : QUEUES.events;
    return publisher.publish(toQueue(first), fenceMessage({ fenceId, queue, sentAt }));
  }

  private begin(): void {
    this.since = performance.now();
  }

  /** For how long both connections have stood and no alarm been, ms; null while one is down or blocked. */
  private upForMs(): number | null {
    const { publishing, consuming, blocked } = this.broker.status();
    return publishing && consuming && !blocked ? performance.now() - this.since : null;
  }
}

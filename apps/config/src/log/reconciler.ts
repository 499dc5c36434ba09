import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { randomId } from '@form-webhooks/domain';
import {
  DataSource,
  enterPhase,
  finishReconciliation,
  listLost,
  noteFenceSent,
  republishLost,
  restartReconciliation,
  SYSTEM,
  takeReconciliation,
  type Reconciliation,
} from '@form-webhooks/storage';
import type { Logger } from '@form-webhooks/telemetry';
import { Change } from '../changes/change.js';
import { OutboxRelay } from '../outbox/outbox-relay.js';
import { ConfigSettings } from '../settings.js';
import { LOGGER } from '../tokens.js';
import { FencedQueues } from './fenced-queues.js';
import { lostIfDueBefore, nextReconcileStep, type ReconcilePolicy, type ReconcileStep } from './reconciliation-step.js';
import { RecurringDuty } from './recurring-duty.js';

const LONGEST_POLL_MS = 5_000;
const BETWEEN_BATCHES_MS = 50;
const BATCH_SIZE = 50;
/** What more is lost is found by the next reconciliation. */
const MAX_LOST = 50_000;
const MAX_OUTBOX_ROWS = 1_000;
const REMEMBERED_MS = 7 * 86_400_000;

/**
 * Brings back what the broker lost, from what the log knows: a delivery that isn't final, was due well before a fence
 * was sent, and of which nothing was recorded until the fence had come through every queue that it could be in. It is
 * published again with the same generation and try, in the transaction that takes it off the list, so that neither a
 * crash nor a second replica publishes it twice. All moments are the database's: a replica's clock decides nothing.
 */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly duty: RecurringDuty;
  private readonly policy: ReconcilePolicy;

  constructor(
    private readonly dataSource: DataSource,
    private readonly queues: FencedQueues,
    private readonly relay: OutboxRelay,
    private readonly settings: ConfigSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.policy = { graceMs: settings.reconcileGraceMs, settleMs: settings.reconcileSettleMs };
    this.duty = new RecurringDuty(
      () => this.round(),
      (error) => logger.warn({ err: error }, 'the reconciler goes on later'),
    );
  }

  onApplicationBootstrap(): void {
    void this.duty.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.duty.stop();
  }

  /** One step of the reconciliation under way, whoever began it; or the beginning of the next. */
  private async round(): Promise<number> {
    const fresh = { id: randomId('rec'), intervalMs: this.settings.reconcileIntervalMs };
    const step = await this.dataSource.transaction(async (tx) => {
      const taken = await takeReconciliation(tx, fresh);
      if (!taken) return undefined;
      const { row, now } = taken;
      const situation = {
        now: now.getTime(),
        brokerUpForMs: this.queues.upForMs(),
        outboxAgeMs: this.relay.lastBacklog().oldestSeconds * 1_000,
      };
      const next = nextReconcileStep(row, situation, this.policy);
      await this.take(next, row, new Change(tx, SYSTEM, now));
      return next;
    });
    if (step?.do === 'publish') this.relay.wake();
    return step === undefined || step.do === 'wait' ? this.pollMs : BETWEEN_BATCHES_MS;
  }

  private get pollMs(): number {
    return Math.min(LONGEST_POLL_MS, this.policy.settleMs / 4, this.settings.reconcileIntervalMs);
  }

  private async take(step: ReconcileStep, row: Reconciliation, change: Change): Promise<void> {
    const { tx, at } = change;
    switch (step.do) {
      case 'wait':
        return;
      case 'restart':
        return restartReconciliation(tx, row.id, at);
      case 'send_fence':
        await this.queues.sendFence(row, at.getTime());
        return noteFenceSent(tx, row.id, at);
      case 'enter':
        await enterPhase(tx, row.id, step.phase, at);
        if (step.phase === 'publish') await this.list(row, change);
        return;
      case 'publish':
        return this.publish(row, change);
    }
  }

  private async list(row: Reconciliation, change: Change): Promise<void> {
    const lost = await listLost(change.tx, row.id, lostIfDueBefore(row, change.at, this.policy), MAX_LOST);
    if (lost > 0) this.logger.warn({ reconciliation_id: row.id, lost }, 'the broker lost deliveries: published again');
  }

  private async publish(row: Reconciliation, change: Change): Promise<void> {
    if (this.relay.lastBacklog().rows > MAX_OUTBOX_ROWS) return;
    const { tx, at } = change;
    const dueBefore = lostIfDueBefore(row, at, this.policy);
    const batch = await republishLost(tx, row.id, { size: BATCH_SIZE, dueBefore, at });
    for (const message of batch.messages) await change.deliver(message);
    if (batch.withoutPayload > 0) {
      this.logger.error(
        { reconciliation_id: row.id, deliveries: batch.withoutPayload },
        'lost deliveries can not be published again: their payload is not in the log',
      );
    }
    if (batch.last) await finishReconciliation(tx, row.id, at, new Date(at.getTime() - REMEMBERED_MS));
    await change.finish();
  }
}

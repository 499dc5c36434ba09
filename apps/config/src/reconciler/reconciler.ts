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
  type OverdueDelivery,
  type Reconciliation,
} from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { Change } from '../changes/change.js';
import { ConfigSettings } from '../settings.js';
import { FencedQueues } from './fenced-queues.js';
import { LostDeliveries } from './lost-deliveries.js';
import { lostIfDueBefore, nextReconcileStep, type ReconcilePolicy, type ReconcileStep } from './reconciliation-step.js';
import { RecurringDuty } from '../duty/recurring-duty.js';

const LONGEST_POLL_MS = 5_000;
const BETWEEN_BATCHES_MS = 50;
const BATCH_SIZE = 50;
const REMEMBERED_MS = 7 * 86_400_000;

/**
 * Brings back what the broker lost, from what the log knows: a delivery that isn't final, was due well before a fence
 * was sent, of which nothing was recorded until the fence had come through every queue that it could be in, and that
 * isn't parked. It is published again with the same generation and try, in the transaction that takes it off the list,
 * so that neither a crash nor a second replica publishes it twice. All moments are the database's: a replica's clock
 * decides nothing.
 */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly duty: RecurringDuty;
  private readonly policy: ReconcilePolicy;

  constructor(
    private readonly dataSource: DataSource,
    private readonly queues: FencedQueues,
    private readonly lost: LostDeliveries,
    private readonly settings: ConfigSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.policy = { graceMs: settings.reconciler.graceMs, settleMs: settings.reconcileSettleMs };
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
    let step = await this.step();
    if (step?.next.do === 'list') step = await this.step(await this.find(step));
    if (step?.next.do === 'publish') this.queues.announce();
    return step === undefined || step.next.do === 'wait' ? this.pollMs : BETWEEN_BATCHES_MS;
  }

  /** @param found what is lost, to be listed if it was found for just this step */
  private step(found?: FoundLost): Promise<Step | undefined> {
    const fresh = { id: randomId('rec'), intervalMs: this.settings.reconciler.intervalMs };
    return this.dataSource.transaction(async (tx) => {
      const taken = await takeReconciliation(tx, fresh);
      if (!taken) return undefined;
      const { row, now } = taken;
      const next = nextReconcileStep(row, this.queues.situation(now), this.policy);
      const change = new Change(tx, SYSTEM, now);
      if (next.do !== 'list') await this.take(next, row, change);
      else if (found && isSamePhase(found.row, row)) await this.list(row, found.lost, change);
      return { next, row, now };
    });
  }

  /** Outside of the transaction, which the server would end meanwhile. */
  private async find({ row, now }: Step): Promise<FoundLost> {
    return { row, lost: await this.lost.find(lostIfDueBefore(row, now, this.policy)) };
  }

  private get pollMs(): number {
    return Math.min(LONGEST_POLL_MS, this.policy.settleMs / 4, this.settings.reconciler.intervalMs);
  }

  private async take(step: Exclude<ReconcileStep, { do: 'list' }>, row: Reconciliation, change: Change): Promise<void> {
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
        return enterPhase(tx, row.id, step.phase, at);
      case 'publish':
        return this.publish(row, change);
    }
  }

  private async list({ id }: Reconciliation, lost: readonly OverdueDelivery[], { tx, at }: Change): Promise<void> {
    await enterPhase(tx, id, 'publish', at);
    await listLost(tx, id, lost);
    if (lost.length === 0) return;
    this.logger.warn({ reconciliation_id: id, lost: lost.length }, 'the broker lost deliveries: published again');
  }

  private async publish(row: Reconciliation, change: Change): Promise<void> {
    if (this.queues.full) return;
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

/** What was found to do, and in which row. */
interface Step {
  readonly next: ReconcileStep;
  readonly row: Reconciliation;
  readonly now: Date;
}

interface FoundLost {
  readonly row: Reconciliation;
  readonly lost: readonly OverdueDelivery[];
}

/** Another replica may have gone on, or begun anew, while this one looked. */
const isSamePhase = (a: Reconciliation, b: Reconciliation): boolean =>
  a.id === b.id && a.phase === b.phase && a.phaseAt.getTime() === b.phaseAt.getTime();

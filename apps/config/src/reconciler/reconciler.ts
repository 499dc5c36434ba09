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
  type RepublishedBatch,
} from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { Change } from '../changes/change.js';
import { tooOldIfBegunBefore } from '../outbox/too-old-to-send.js';
import { ConfigSettings } from '../settings.js';
import { FencedQueues } from './fenced-queues.js';
import { LOST_AT_A_TIME, LostDeliveries } from './lost-deliveries.js';
import { lostIfDueBefore, nextReconcileStep, type ReconcilePolicy, type ReconcileStep } from './reconciliation-step.js';
import { RecurringDuty } from '../duty/recurring-duty.js';

const LONGEST_POLL_MS = 5_000;
const BETWEEN_BATCHES_MS = 50;
const BATCH_SIZE = 500;
/** What more is lost is found by the next reconciliation. */
const MAX_LOST = 2_000_000;
const REMEMBERED_MS = 7 * 86_400_000;

/**
 * Brings back what the broker lost, from what the log knows: a delivery that isn't final, was due well before a fence
 * was sent, of which nothing was recorded until the fence had come through every queue that it could be in, and that
 * isn't parked. It is published again with the same generation and try, in the transaction that takes it off the list,
 * so that neither a crash nor a second replica publishes it twice. What began too long ago to be attempted ends
 * instead, so that a restored backup sends nothing of its time again. All moments are the database's: a replica's clock
 * decides nothing.
 */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly duty: RecurringDuty;
  private readonly policy: ReconcilePolicy;
  /** What became of lost deliveries by this replica since its start. */
  readonly fates = { published: 0, expired: 0, erased: 0, without_payload: 0 };

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
    return { row, lost: await this.lost.findNext(row.id, lostIfDueBefore(row, now, this.policy)) };
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
        if ((await this.queues.sendFence(row, at.getTime())) === 'sent') return noteFenceSent(tx, row.id, at);
        return enterPhase(tx, row.id, 'deliveries', at);
      case 'enter':
        return enterPhase(tx, row.id, step.phase, at);
      case 'publish':
        return this.publish(row, change);
    }
  }

  /** Lists what was found; once that was the last of it, what is listed is published. */
  private async list(row: Reconciliation, found: readonly OverdueDelivery[], { tx, at }: Change): Promise<void> {
    const lost = row.lost + found.length;
    if (found.length > 0) await listLost(tx, row.id, found);
    if (found.length === LOST_AT_A_TIME && lost < MAX_LOST) return;
    await enterPhase(tx, row.id, 'publish', at);
    if (lost > 0) this.logger.warn({ reconciliation_id: row.id, lost }, 'the broker lost deliveries: published again');
  }

  private async publish(row: Reconciliation, change: Change): Promise<void> {
    if (this.queues.full) return;
    const { tx, at } = change;
    const dueBefore = lostIfDueBefore(row, at, this.policy);
    const tooOldBefore = tooOldIfBegunBefore(at, this.settings.delivery.maxAgeMs, this.settings.retention.restoredAt);
    const batch = await republishLost(tx, row.id, { size: BATCH_SIZE, dueBefore, tooOldBefore, at });
    this.tell(row, batch);
    if (batch.last) await finishReconciliation(tx, row.id, at, new Date(at.getTime() - REMEMBERED_MS));
    await change.finish();
  }

  private tell({ id }: Reconciliation, { republished, expired, erased, withoutPayload }: RepublishedBatch): void {
    this.fates.published += republished;
    this.fates.expired += expired;
    this.fates.erased += erased;
    this.fates.without_payload += withoutPayload;
    const about = { reconciliation_id: id };
    if (expired > 0) this.logger.warn({ ...about, expired }, 'lost deliveries are too old to be sent, and failed');
    if (withoutPayload > 0) {
      const text = 'lost deliveries failed: their payload is not in the log, so that they can not be published again';
      this.logger.error({ ...about, deliveries: withoutPayload }, text);
    }
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
  a.id === b.id && a.phase === b.phase && a.lost === b.lost && a.phaseAt.getTime() === b.phaseAt.getTime();

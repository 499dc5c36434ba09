import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ReplayFilterDto } from '@form-webhooks/http-api';
import {
  anyReplayRuns,
  countDeliveries,
  databaseNow,
  DataSource,
  endReplay,
  findEndpoint,
  findForm,
  lockReplayable,
  recordReplayProgress,
  startReplay,
  SYSTEM,
  takeDueReplay,
  takeReplayItems,
  type DeliveryRow,
  type Form,
  type ReplayItem,
  type ReplayJob,
  type RowChange,
} from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { Change } from '../changes/change.js';
import { OutboxRelay } from '../outbox/outbox-relay.js';
import { ReplaySettings } from './replay-settings.js';
import { NoticeSender } from '../live/notice-sender.js';
import { RecurringDuty } from '../duty/recurring-duty.js';

const IDLE_MS = 1_000;
const BETWEEN_BATCHES_MS = 50;
/** Batches a second of one job: small transactions, so that no row is locked for long. */
const BATCHES_A_SECOND = 4;

/**
 * Works off replay jobs, batch by batch. A batch takes its deliveries off the job's list, begins their next generation
 * and puts their messages in the outbox in one transaction, with the job locked: a crash undoes a batch whole, and no
 * delivery gets two generations from one job. Any replica may do the next batch.
 */
@Injectable()
export class ReplayRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly duty: RecurringDuty;

  constructor(
    private readonly dataSource: DataSource,
    private readonly relay: OutboxRelay,
    private readonly settings: ReplaySettings,
    private readonly notices: NoticeSender,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.duty = new RecurringDuty(
      () => this.round(),
      (error) => logger.error({ err: error }, 'a batch of a replay failed and is tried again'),
    );
  }

  onApplicationBootstrap(): void {
    void this.duty.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.duty.stop();
  }

  private async round(): Promise<number> {
    if (this.relay.full || !(await anyReplayRuns(this.dataSource.manager))) return IDLE_MS;
    const worked = await this.dataSource.transaction(async (tx) => {
      const change = new Change(tx, SYSTEM, await databaseNow(tx));
      const job = await takeDueReplay(tx, change.at);
      if (job) await this.replayBatch(change, job);
      return job;
    });
    if (!worked) return IDLE_MS;
    for (const topic of ['replays', 'deliveries'] as const) this.notices.note(worked.formId, topic);
    this.relay.wake();
    return BETWEEN_BATCHES_MS;
  }

  private async replayBatch(change: Change, job: ReplayJob): Promise<void> {
    const form = await findForm(change.tx, job.formId, job.workspaceId);
    if (!form) return this.cancelOfRemoved(change, job);
    const size = Math.max(1, Math.round(this.settings.rate / BATCHES_A_SECOND));
    const items = await takeReplayItems(change.tx, job.id, size);
    const replayed: RowChange[] = [];
    for (const item of items) {
      const row = await replayOne(change, form, job, item);
      if (row) replayed.push(row);
    }
    await countDeliveries(change.tx, replayed);
    await recordReplayProgress(change.tx, job.id, {
      replayed: replayed.length,
      skipped: items.length - replayed.length,
      nextBatchAt: new Date(change.at.getTime() + (1_000 * items.length) / this.settings.rate),
    });
    if (items.length < size) await endReplay(change.tx, job.id, 'done', change.at);
    await change.finish();
  }

  /** Its form was removed meanwhile. */
  private async cancelOfRemoved(change: Change, { id, workspaceId, formId }: ReplayJob): Promise<void> {
    await endReplay(change.tx, id, 'cancelled', change.at);
    change.audit({ workspaceId, formId, action: 'replay.cancelled', target: { type: 'replay', id } });
    await change.finish();
  }
}

/**
 * Hands the delivery to the outbox at once, so that a batch holds no more than one payload at a time.
 * @returns what became of its row; null if it is no longer what the job chose, or can't be replayed any more
 */
async function replayOne(change: Change, form: Form, job: ReplayJob, item: ReplayItem): Promise<RowChange | null> {
  const replayable = await lockReplayable(change.tx, form.id, item.deliveryId);
  if (typeof replayable === 'string' || !isAsChosen(replayable.delivery, job, item)) return null;
  const endpoint = await findEndpoint(change.tx, form, replayable.delivery.identity.endpointId);
  if (!endpoint?.enabled) return null;
  const started = await startReplay(change.tx, replayable, change.at.getTime());
  await change.deliver(started.message);
  return started.change;
}

/**
 * Whether nothing was made of the delivery since the job chose it: what was replayed by someone else, or delivered after
 * all, would be sent once more than its owner asked for.
 */
function isAsChosen({ standing }: DeliveryRow, job: ReplayJob, { generation }: ReplayItem): boolean {
  const { state } = job.filter as Partial<ReplayFilterDto>;
  if (state !== undefined && standing.state !== state) return false;
  return generation === null || standing.position.generation === generation;
}

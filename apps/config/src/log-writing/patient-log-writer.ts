import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BrokerServer, QUEUES } from '@form-webhooks/broker';
import type { LogRecord } from '@form-webhooks/messages';
import { DeliveryLogWriter, LogUnavailable, type UnwritableRecord } from '@form-webhooks/storage';
import type { Logger } from '@form-webhooks/telemetry';
import { ConfigSettings } from '../settings.js';
import { LOGGER } from '../tokens.js';
import { HeldWrites } from './held-writes.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const PROBE_EVERY_MS = 1_000;
const PROBE_WITHIN_MS = 5_000;

/**
 * Writes to the log however long the database is away. Meanwhile the queue's consumer is cancelled, so that records wait
 * in the broker; those already here are held, unsettled, and written first.
 *
 * The database may be away for this replica alone. Before the reconciler of another takes what is told by the records
 * held here for lost, they are handed back, so that the other writes them. That counts towards their delivery limit:
 * it happens once in an outage, which only a write ends. The consumer stays cancelled until the database answers.
 */
@Injectable()
export class PatientLogWriter implements OnModuleDestroy {
  private failures = 0;
  private handedBack = false;
  private pause: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private readonly held: HeldWrites;

  constructor(
    private readonly writer: DeliveryLogWriter,
    private readonly consumers: BrokerServer,
    { logHoldMs }: ConfigSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.held = new HeldWrites(logHoldMs, () => void this.handBack());
  }

  /** @throws LogUnavailable if the records are handed back: the service stops, or has held them for too long */
  write(records: readonly LogRecord[]): Promise<readonly UnwritableRecord[]> {
    return this.held.hold((givenUp) => this.untilWritten(records, givenUp));
  }

  private async untilWritten(
    records: readonly LogRecord[],
    givenUp: AbortSignal,
  ): Promise<readonly UnwritableRecord[]> {
    for (;;) {
      try {
        const unwritable = await this.writer.write(records);
        if (!givenUp.aborted) await this.recovered();
        return unwritable;
      } catch (error) {
        if (!(error instanceof LogUnavailable) || this.stopping.signal.aborted) throw error;
        // All that fail together wait together, and are tried again as one batch.
        if (!givenUp.aborted) this.pause ??= this.waitAfter(error).finally(() => (this.pause = undefined));
        await this.pause;
        if (givenUp.aborted) throw error;
      }
    }
  }

  /** What is held is given up, so that the stop needn't wait for the database: the broker keeps it. */
  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async waitAfter(error: LogUnavailable): Promise<void> {
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.failures);
    this.failures += 1;
    if (this.failures === 1) {
      this.logger.error({ err: error }, 'the delivery log can not be written; records wait');
      await this.consumers.pause(QUEUES.deliveryLog);
    }
    await delay(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  /** Also where no write has failed yet: one over a connection that nobody answers on hangs for many minutes. */
  private async handBack(): Promise<void> {
    if (this.handedBack || this.stopping.signal.aborted) return;
    this.handedBack = true;
    this.logger.error('the delivery log has not been written for too long; the records held are handed back');
    // First, or they would come straight back.
    await this.consumers.pause(QUEUES.deliveryLog);
    this.held.giveUp(new LogUnavailable('held for too long'));
    await this.untilBack();
    if (this.stopping.signal.aborted) return;
    this.failures = 0;
    this.logger.info('the database answers again; the consumer of the delivery log is resumed');
    await this.consumers.resume(QUEUES.deliveryLog);
  }

  /** With nothing held there is no write that would show it. Ends also when the service stops. */
  private async untilBack(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const late = delay(PROBE_WITHIN_MS, false, { signal }).catch(() => false);
      const answered = this.writer.probe().then(
        () => true,
        () => false,
      );
      if (await Promise.race([answered, late])) return;
      await delay(PROBE_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async recovered(): Promise<void> {
    this.handedBack = false;
    if (this.failures === 0) return;
    this.failures = 0;
    this.logger.info('the delivery log is written again');
    await this.consumers.resume(QUEUES.deliveryLog);
  }
}

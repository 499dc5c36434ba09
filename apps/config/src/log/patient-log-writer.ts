import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BrokerServer, QUEUES } from '@form-webhooks/broker';
import type { LogRecord } from '@form-webhooks/messages';
import { DeliveryLogWriter, LogUnavailable, type UnwritableRecord } from '@form-webhooks/storage';
import type { Logger } from '@form-webhooks/telemetry';
import { LOGGER } from '../tokens.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Writes to the log however long the database is away. Meanwhile the queue's consumer is cancelled, so that records wait
 * in the broker; those already here are held, unsettled, and written first. Nothing is handed back: an outage must not
 * count towards the delivery limit.
 */
@Injectable()
export class PatientLogWriter implements OnModuleDestroy {
  private failures = 0;
  private pause: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly writer: DeliveryLogWriter,
    private readonly consumers: BrokerServer,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws LogUnavailable only if the service stops before the database is back */
  async write(records: readonly LogRecord[]): Promise<readonly UnwritableRecord[]> {
    for (;;) {
      try {
        const unwritable = await this.writer.write(records);
        await this.recovered();
        return unwritable;
      } catch (error) {
        if (!(error instanceof LogUnavailable) || this.stopping.signal.aborted) throw error;
        // All that fail together wait together, and are tried again as one batch.
        this.pause ??= this.waitAfter(error).finally(() => (this.pause = undefined));
        await this.pause;
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

  private async recovered(): Promise<void> {
    if (this.failures === 0) return;
    this.failures = 0;
    this.logger.info('the delivery log is written again');
    await this.consumers.resume(QUEUES.deliveryLog);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { IntakeHold, RetryLoop, type HoldReason } from '@form-webhooks/broker';
import { inTime } from '@form-webhooks/domain';
import type { LogRecord } from '@form-webhooks/messages';
import { DeliveryLogWriter, LogUnavailable, type UnwritableRecord } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { ConfigSettings } from '../settings.js';
import { RefusedWrites } from './refused-writes.js';
import { WritesInHand } from './writes-in-hand.js';

const UNWRITTEN: HoldReason = { why: 'the delivery log can not be written', extent: 'intake' };
const HANDED_BACK: HoldReason = { why: 'the delivery log was not written for too long', extent: 'intake' };
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const PROBE_EVERY_MS = 1_000;
const PROBE_WITHIN_MS = 5_000;
/** A record waits milliseconds for its write, seconds under load. */
const LATE_AFTER_MS = 10_000;

/**
 * Writes to the log however long the database is away. Meanwhile the queue's consumer is cancelled, so that records wait
 * in the broker; those already here are held, unsettled, and written first.
 *
 * The database may be away for this replica alone. Before the reconciler of another takes what is told by the records
 * held here for lost, they are handed back, so that the other writes them. That counts towards their delivery limit:
 * it happens once in an outage, which only a write ends. The consumer stays cancelled until the database answers.
 */
@Injectable()
export class RetryUntilWritten implements OnModuleDestroy {
  private handedBack = false;
  private handingBack = false;
  private timesHandedBack = 0;
  private readonly retries: RetryLoop<LogUnavailable>;
  private readonly inHand: WritesInHand;
  private readonly refused: RefusedWrites;

  constructor(
    private readonly writer: DeliveryLogWriter,
    private readonly intake: IntakeHold,
    { logHoldMs }: ConfigSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.inHand = new WritesInHand(logHoldMs, () => void this.handBack());
    this.refused = new RefusedWrites(
      (ms) => this.pause(ms),
      (error) => logger.error({ err: error }, 'a record of the delivery log is refused, and will be tried again'),
    );
    this.retries = new RetryLoop(intake, {
      on: LogUnavailable,
      reason: UNWRITTEN,
      firstPauseMs: FIRST_PAUSE_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
      // What fails at the same time is tried again as one batch.
      together: true,
      onFailing: (error, failing) => {
        if (failing === 1) logger.error({ err: error }, 'the delivery log can not be written; records wait');
      },
    });
  }

  /** @throws LogUnavailable if the records are handed back: the service stops, or has held them for too long */
  async write(records: readonly LogRecord[]): Promise<readonly UnwritableRecord[]> {
    const write = () => this.inHand.during((givenUp) => this.retries.run(() => this.writer.write(records), givenUp));
    const unwritable = await this.refused.retry(write, this.intake.stopped);
    this.handedBack = false;
    return unwritable;
  }

  /**
   * Whether records are being written: none has been handed back just now, and none waits while nothing is written.
   * Where several are refused nothing else has been written either, for that would have shown that they are at fault.
   */
  get keepsUp(): boolean {
    return !this.handingBack && this.inHand.waitingMs < LATE_AFTER_MS && this.refused.waiting < 2;
  }

  /** How often what was held has been handed back since the start. */
  get handBacks(): number {
    return this.timesHandedBack;
  }

  /** Records that the database refuses, and that are tried again. */
  get refusedNow(): number {
    return this.refused.waiting;
  }

  /** What is held is given up, so that the stop needn't wait for the database: the broker keeps it. */
  onModuleDestroy(): void {
    this.intake.stop();
  }

  /** Also where no write has failed yet: one over a connection that nobody answers on hangs for many minutes. */
  private async handBack(): Promise<void> {
    if (this.handedBack || this.intake.stopped.aborted) return;
    this.handedBack = true;
    this.handingBack = true;
    this.timesHandedBack += 1;
    this.logger.error('the delivery log has not been written for too long; the records held are handed back');
    // First, or they would come straight back.
    await this.intake.hold(HANDED_BACK);
    const error = new LogUnavailable('held for too long');
    this.inHand.giveUp(error);
    this.writer.giveUp(error);
    await this.untilBack();
    this.handingBack = false;
    this.intake.release(HANDED_BACK);
  }

  /** With nothing held there is no write that would show it. Ends also when the service stops. */
  private async untilBack(): Promise<void> {
    const { stopped } = this.intake;
    while (!stopped.aborted) {
      const answered = this.writer.probe().then(
        () => true,
        () => false,
      );
      if ((await inTime(answered, PROBE_WITHIN_MS)) && (await answered)) return;
      await this.pause(PROBE_EVERY_MS);
    }
  }

  /** Ends early when the service stops. */
  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.intake.stopped }).catch(() => undefined);
  }
}

import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, NoticeConnection } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { RecurringDuty } from '../duty/recurring-duty.js';
import { readEnd, readNotice } from './form-notice.js';
import { LiveStreams } from './live-streams.js';

const CHECK_EVERY_MS = 15_000;
const AFTER_FAILURE_MS = 5_000;

/**
 * Hears what all replicas tell, on one connection for all pages. While it is lost notices are missed, so whenever there is
 * a new one every page is told that anything may have changed.
 */
@Injectable()
export class NoticeListener implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly duty: RecurringDuty;
  private connection: NoticeConnection | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly streams: LiveStreams,
    @Inject(LOGGER) logger: Logger,
  ) {
    const failed = (error: unknown): void => logger.warn({ err: error }, 'open pages are not told of changes now');
    this.duty = new RecurringDuty(() => this.round(), failed, AFTER_FAILURE_MS);
  }

  onApplicationBootstrap(): void {
    void this.duty.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.duty.stop();
    await this.drop();
  }

  private async round(): Promise<number> {
    if (this.connection) await this.check(this.connection);
    else await this.connect();
    return CHECK_EVERY_MS;
  }

  private async connect(): Promise<void> {
    this.connection = await NoticeConnection.open(this.dataSource, {
      onNotice: (text) => this.hear(text),
      onLost: () => this.duty.hurry(),
    });
    this.streams.tell('everything');
  }

  private hear(text: string): void {
    const ended = readEnd(text);
    if (ended === undefined) this.streams.tell(readNotice(text));
    else this.streams.endOf(ended);
  }

  private async check(connection: NoticeConnection): Promise<void> {
    try {
      await connection.check();
    } catch (error) {
      await this.drop();
      throw error;
    }
  }

  /** What fails here fails because the connection is gone, which is what is wanted. */
  private async drop(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.close().catch(() => undefined);
  }
}

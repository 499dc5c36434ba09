import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, outboxBacklog } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { OutboxPublisher } from './outbox-publisher.js';

const IDLE_MS = 1_000;
const BACKOFF_MS = 2_000;
/** How often it is counted what waits while there is always something. */
const COUNT_EACH_MS = 500;
/** While more rows than these wait, the broker is what is slow: background jobs must not pile up on top. */
const MAX_BACKLOG_ROWS = 1_000;
/** What has waited for so long may be too old to be sent. */
const LONG_S = 600;

/** Publishes in the background what no request has published: after an outage, a crash, or for a background job. */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private stopped = false;
  private again = false;
  /** Undefined until it has looked for the first time. */
  private backlog: { readonly rows: number; readonly oldestSeconds: number } | undefined;

  constructor(
    private readonly publisher: OutboxPublisher,
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.wake();
  }

  /** What waited when it last looked. */
  lastBacklog(): { readonly rows: number; readonly oldestSeconds: number } {
    return this.backlog ?? { rows: 0, oldestSeconds: 0 };
  }

  /** While more than enough waits to be published, background jobs put nothing behind it. */
  get full(): boolean {
    return this.lastBacklog().rows > MAX_BACKLOG_ROWS;
  }

  /** Looks at once; for whoever has just committed rows that nobody waits for. */
  wake(): void {
    if (this.stopped) return;
    this.again = true;
    if (this.round) return;
    clearTimeout(this.timer);
    this.round = this.work().finally(() => (this.round = undefined));
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private async work(): Promise<void> {
    let wait = IDLE_MS;
    try {
      if (this.backlog === undefined || this.backlog.oldestSeconds > LONG_S) await this.publisher.removeTooOld();
      do {
        this.again = false;
        // One look where nothing waits, which is nearly always: only what does is worth a transaction.
        this.backlog = await outboxBacklog(this.dataSource.manager);
        const outcome = this.backlog.rows > 0 ? await this.publishForAWhile() : 'nothing';
        if (outcome === 'published') this.again = true;
        if (outcome === 'unconfirmed') wait = BACKOFF_MS;
      } while (this.again && !this.stopped && this.publisher.available);
    } catch (error) {
      wait = BACKOFF_MS;
      this.logger.warn({ err: error }, 'the outbox was not read');
    }
    this.timer = setTimeout(() => this.wake(), wait);
    if (this.stopped) clearTimeout(this.timer);
  }

  /**
   * Publishes what waits, until nothing is left or it is time to count: whoever fills it as fast as it is emptied must be
   * told that it is full.
   * @returns `nothing` if nothing waits that nobody else is publishing, `unconfirmed` if the broker did not take all of it
   */
  private async publishForAWhile(): Promise<'nothing' | 'published' | 'unconfirmed'> {
    let outcome: 'nothing' | 'published' = 'nothing';
    const until = performance.now() + COUNT_EACH_MS;
    while (!this.stopped && this.publisher.available && performance.now() < until) {
      const { taken, confirmed } = await this.publisher.publishOldest();
      if (confirmed < taken) return 'unconfirmed';
      if (taken === 0) break;
      outcome = 'published';
    }
    return outcome;
  }
}

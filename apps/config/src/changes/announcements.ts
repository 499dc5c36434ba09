import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { inTime } from '@form-webhooks/domain';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { PoolSettings } from '../database/database-settings.js';
import { OutboxPublisher } from '../outbox/outbox-publisher.js';
import { ChangeSettings } from './change-settings.js';

/** Each holds a connection of the pool that the log is written with, for as long as the broker takes to confirm. */
const SHARE_OF_POOL = 1 / 4;

/**
 * Publishes what changes leave in the outbox, while their callers wait for it: a few at a time, or calls of the API
 * would take the log's writer its connections while the broker confirms slowly. Who waits for a turn holds none.
 */
@Injectable()
export class Announcements implements OnApplicationShutdown {
  private readonly atATime: number;
  private readonly underWay = new Set<Promise<void>>();
  private readonly waiting = new Set<() => void>();
  private turns = 0;

  constructor(
    private readonly publisher: OutboxPublisher,
    private readonly settings: ChangeSettings,
    { logSize }: PoolSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.atATime = Math.max(1, Math.floor(logSize * SHARE_OF_POOL));
  }

  /**
   * Resolves once these rows are published, at the latest after `ANNOUNCE_TIMEOUT`, and at once while the broker is
   * away: what is not published by then the outbox publishes later.
   */
  async make(ids: readonly string[]): Promise<void> {
    if (!this.publisher.available) return;
    const began = performance.now();
    if (!(await this.turn())) return;
    await inTime(this.publish(ids), Math.max(0, this.settings.announceTimeoutMs - (performance.now() - began)));
  }

  /** Nobody asks for a change any more: what is being announced still needs broker and database. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /** @returns false if it has not come in time */
  private turn(): Promise<boolean> {
    if (this.turns < this.atATime) {
      this.turns++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(giveUp);
        this.waiting.delete(begin);
        resolve(true);
      };
      const giveUp = setTimeout(() => {
        this.waiting.delete(begin);
        resolve(false);
      }, this.settings.announceTimeoutMs);
      this.waiting.add(begin);
    });
  }

  /** Never rejects. */
  private publish(ids: readonly string[]): Promise<void> {
    const published: Promise<void> = this.publisher
      .publishThese(ids)
      .then(
        () => undefined,
        (error: unknown) => this.logger.warn({ err: error }, 'a change is announced later, by the outbox'),
      )
      .finally(() => {
        this.underWay.delete(published);
        this.endTurn();
      });
    this.underWay.add(published);
    return published;
  }

  private endTurn(): void {
    const [next] = this.waiting;
    // A turn is handed over, so that nobody who comes now can take it first.
    if (next) next();
    else this.turns--;
  }
}

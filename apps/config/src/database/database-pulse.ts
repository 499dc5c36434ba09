import type { DataSource } from '@form-webhooks/storage';
import type { Logger } from '@form-webhooks/telemetry';

const BEAT_MS = 5_000;

/** Knows whether the database answers, so that health can tell without asking it for every probe. */
export class DatabasePulse {
  private alive = true;
  private beat: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => {
      this.beat ??= this.feel().finally(() => (this.beat = undefined));
    }, BEAT_MS);
    this.timer.unref();
  }

  get beats(): boolean {
    return this.alive;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.beat;
  }

  private async feel(): Promise<void> {
    try {
      await this.dataSource.query('SELECT 1');
      this.alive = true;
    } catch (error) {
      if (this.alive) this.logger.error({ err: error }, 'the database does not answer');
      this.alive = false;
    }
  }
}

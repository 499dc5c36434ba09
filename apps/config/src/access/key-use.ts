import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { DataSource, touchApiKeys } from '@form-webhooks/storage';

const FLUSH_MS = 5_000;

/** Notes when keys were last used: gathered for a few seconds, one statement for all of them. */
@Injectable()
export class KeyUse implements OnModuleDestroy {
  private used = new Set<string>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS);
    this.timer.unref();
  }

  note(keyId: string): void {
    this.used.add(keyId);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** A moment that could not be written is not worth a retry: the key's next use brings the next one. */
  private async flush(): Promise<void> {
    if (this.used.size === 0) return;
    const ids = [...this.used];
    this.used = new Set();
    try {
      await touchApiKeys(this.dataSource.manager, ids, new Date());
    } catch (error) {
      this.logger.warn({ err: error, keys: ids.length }, 'the last use of keys was not noted');
    }
  }
}

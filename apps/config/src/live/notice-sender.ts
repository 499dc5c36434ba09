import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { LiveTopic } from '@form-webhooks/http-api';
import { DataSource, sendNotice } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { writeEnd, writeNotices } from './form-notice.js';

/** A notice a replica, however many records it writes meanwhile. */
const GATHER_MS = 500;
/** What changes more forms than these in that time is told as "everything". */
const MAX_FORMS = 2_000;

/** Gathers which forms changed in this replica, and tells all replicas. A page reads what it is told of again. */
@Injectable()
export class NoticeSender implements OnModuleDestroy {
  private changed = new Map<string, Set<LiveTopic>>();
  private isTooMany = false;
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Call it after the commit: what is told earlier may be read before it is there. */
  note(formId: string, topic: LiveTopic): void {
    const topics = this.changed.get(formId);
    if (topics) topics.add(topic);
    else if (this.changed.size < MAX_FORMS) this.changed.set(formId, new Set([topic]));
    else this.isTooMany = true;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.sending = this.send();
    }, GATHER_MS);
  }

  /**
   * A credential has ended: its streams do, in all replicas. Call it after the commit. It is told once: a replica that
   * hears nothing just then lets its streams go on until they are renewed.
   */
  async tellEnd(...credentials: readonly string[]): Promise<void> {
    try {
      for (const credential of credentials) await sendNotice(this.dataSource, writeEnd(credential));
    } catch (error) {
      this.logger.warn({ err: error }, 'streams of a credential that has ended go on until they are renewed');
    }
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.timer);
    await this.sending;
  }

  private async send(): Promise<void> {
    const notices = writeNotices(this.isTooMany ? 'everything' : this.changed);
    this.changed = new Map();
    this.isTooMany = false;
    try {
      for (const text of notices) await sendNotice(this.dataSource, text);
    } catch (error) {
      // Whoever listens loses the database too, and takes everything for changed when it is back.
      this.logger.warn({ err: error, notices: notices.length }, 'open pages were not told of changes');
    }
  }
}

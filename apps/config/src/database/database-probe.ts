import { Inject, Injectable } from '@nestjs/common';
import { ping } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { DatabasePools, type DatabasePool } from './database-pools.js';

const PROBE_EVERY_MS = 5_000;
const PROBE_WITHIN_MS = 4_000;
/**
 * A pool that is used up can't be asked. While anything is heard on its connections the calls that use it up are only
 * many or slow, which says nothing of the database; after so long they are all without an answer.
 */
const SILENT_FOR_MS = 15_000;

/** Knows whether the database answers, over each of the pools, so that health can tell without asking for every look. */
@Injectable()
export class DatabaseProbe {
  private answered = false;
  private probing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pools: DatabasePools,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Whether it answered when it was asked last. */
  get answers(): boolean {
    return this.answered;
  }

  /** From the moment on that the database has answered to everything a start asks. */
  start(): void {
    this.answered = true;
    this.timer = setInterval(() => {
      this.probing ??= this.probe().finally(() => (this.probing = undefined));
    }, PROBE_EVERY_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.probing;
  }

  private async probe(): Promise<void> {
    const all = await Promise.all(this.pools.all.map(look));
    const without = all.filter(({ answers }) => !answers);
    if (without.length > 0 && this.answered) {
      const err = without.find(({ error }) => error !== undefined)?.error;
      this.logger.error({ pools: without.map(({ use }) => use), err }, 'the database does not answer');
    }
    if (without.length === 0 && !this.answered) this.logger.info({}, 'the database answers again');
    this.answered = without.length === 0;
  }
}

interface Look {
  readonly use: string;
  readonly answers: boolean;
  readonly error?: unknown;
}

async function look({ use, source, contact }: DatabasePool): Promise<Look> {
  const { outcome, error } = await ping(source, PROBE_WITHIN_MS);
  const answers = outcome === 'answered' || (outcome === 'no_connection' && contact.silentMs < SILENT_FOR_MS);
  return { use, answers, ...(error === undefined ? {} : { error }) };
}

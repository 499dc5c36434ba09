import { Inject, Injectable } from '@nestjs/common';
import { isForbidden, migrate, pause, schemaLack, type DataSource, type SchemaLack } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { counted } from '../counted.js';
import { SchemaSettings } from './database-settings.js';

const LOOK_EACH_MS = 1_000;
const JOB =
  'run the migration job of this version (`npm run ops -- migrate`, as the owner of the tables), then start config again';

/** The schema is not what this version needs, and config is not to change it. */
export class SchemaNotCurrent extends Error {
  override readonly name = 'SchemaNotCurrent';
}

/** Sees to it that config works on a schema of its version: it migrates, or waits for the job that does. */
@Injectable()
export class CurrentSchema {
  constructor(
    private readonly settings: SchemaSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param ending ends the wait for the job, or for others that migrate
   * @throws SchemaNotCurrent if the job has not come to its end in time, or this role may not migrate; the reason of
   * `ending` once it is aborted
   */
  async ensure(source: DataSource, ending?: AbortSignal): Promise<void> {
    if (this.settings.migration === 'by_job') return this.waitForJob(source, ending);
    try {
      const ran = await migrate(source, undefined, ending);
      if (ran.length > 0) this.logger.info({ migrations: ran }, 'the schema is up to date');
    } catch (error) {
      if (!isForbidden(error)) throw error;
      const what = `the role in DATABASE_URL may not change the schema: ${(error as Error).message}`;
      throw new SchemaNotCurrent(`${what}. Set MIGRATION=by_job and ${JOB}`, { cause: error });
    }
  }

  private async waitForJob(source: DataSource, ending?: AbortSignal): Promise<void> {
    const deadline = performance.now() + this.settings.waitMs;
    for (let looks = 0; ; looks += 1) {
      const lack = tellLack(await schemaLack(source));
      if (lack === undefined) return;
      if (performance.now() >= deadline) throw new SchemaNotCurrent(`${lack}. MIGRATION is by_job: ${JOB}`);
      if (looks === 0) this.logger.warn({ lack, waitMs: this.settings.waitMs }, 'waiting for the migration job');
      await pause(LOOK_EACH_MS, ending);
    }
  }
}

/** What is missing, in words; undefined if nothing is. */
function tellLack({ migrations, rights }: SchemaLack): string | undefined {
  if (migrations.length > 0) {
    return `the schema lacks ${counted(migrations.length, 'migration', 'migrations')}, the first of them ${migrations[0]}`;
  }
  if (rights.length === 0) return undefined;
  const others = rights.length > 1 ? ` and ${counted(rights.length - 1, 'other', 'others')}` : '';
  return `the role in DATABASE_URL lacks rights that the job gives to DATABASE_RUNTIME_ROLE: ${rights[0]}${others}`;
}

import { Injectable } from '@nestjs/common';
import { SealingSettings } from '@form-webhooks/settings';
import { secretsByKey } from '@form-webhooks/storage';
import { counted } from '../counted.js';
import { CurrentSchema } from './current-schema.js';
import { DatabasePools } from './database-pools.js';
import { DatabaseProbe } from './database-probe.js';
import { DatabaseSettings } from './database-settings.js';
import { DatabaseUnreachable } from './database-unreachable.js';

/** The database's connections. The start of the service opens and closes them: duties and the broker's end need them. */
@Injectable()
export class Database {
  constructor(
    private readonly pools: DatabasePools,
    private readonly probe: DatabaseProbe,
    private readonly sealing: SealingSettings,
    private readonly schema: CurrentSchema,
    private readonly settings: DatabaseSettings,
  ) {}

  /**
   * Connects and sees to a schema that is up to date.
   * @param ending ends the wait for a schema
   * @throws DatabaseUnreachable; and if the schema is not current, or a stored secret could not be opened
   */
  async open(ending?: AbortSignal): Promise<void> {
    await this.connect();
    await this.schema.ensure(this.pools.api.source, ending);
    await this.checkKeys();
    this.probe.start();
  }

  async close(): Promise<void> {
    await this.probe.stop();
    await this.pools.close();
  }

  private async connect(): Promise<void> {
    try {
      await this.pools.open();
    } catch (error) {
      throw new DatabaseUnreachable(this.settings.url, error);
    }
  }

  /** Better not to start than to find out at the first delivery that a key was taken out too early. */
  private async checkKeys(): Promise<void> {
    const stored = await secretsByKey(this.pools.api.source);
    const missing = [...stored].filter(([keyId]) => !this.sealing.keyRing.holds(keyId));
    if (missing.length === 0) return;
    const list = missing.map(([keyId, secrets]) => `"${keyId}" (${counted(secrets, 'secret', 'secrets')})`).join(', ');
    throw new Error(`SECRET_KEYS lacks keys that seal stored secrets: ${list}`);
  }
}

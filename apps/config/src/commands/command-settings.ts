import { SealingSettings, Section } from '@form-webhooks/settings';
import { DatabaseSettings } from '../database/database-settings.js';

/** What every command needs. */
export class CommandSettings {
  @Section()
  readonly database: DatabaseSettings;
}

/** What a command needs that opens secrets. */
export class KeyCommandSettings {
  @Section()
  readonly database: DatabaseSettings;

  @Section()
  readonly sealing: SealingSettings;
}

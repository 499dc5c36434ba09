import { fileVariableOf, settingsOf, type DeclaredSetting, type SettingsClass } from '@form-webhooks/settings';
import { OpsSettings } from '../../apps/config/src/ops/ops-settings.js';
import { ConfigSettings } from '../../apps/config/src/settings.js';
import { DispatcherSettings } from '../../apps/dispatcher/src/settings.js';
import { IngestSettings } from '../../apps/ingest/src/settings.js';

/** What each app reads from its environment. */
export const APPS: Readonly<Record<string, SettingsClass>> = {
  ingest: IngestSettings,
  dispatcher: DispatcherSettings,
  config: ConfigSettings,
};

/** Variables that an app reads: of each setting its own, of a secret one also that of its file. */
export const variablesOf = (app: string): string[] => namesOf(settingsOf(APPS[app]!));

const namesOf = (settings: readonly DeclaredSetting[]): string[] =>
  settings.flatMap(({ env, secret }) => (secret ? [env, fileVariableOf(env)] : [env]));

/** Variables that the migration job reads. */
export const migrationVariables = (): string[] => namesOf(settingsOf(OpsSettings));

/** Those without which an app does not start. */
export const requiredSettingsOf = (app: string): DeclaredSetting[] =>
  settingsOf(APPS[app]!).filter((setting) => setting.default === undefined && !setting.optional);

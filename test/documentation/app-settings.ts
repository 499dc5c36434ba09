import {
  fileVariableOf,
  loadSettings,
  settingsOf,
  type DeclaredSetting,
  type SettingsClass,
} from '@form-webhooks/settings';
import { OpsSettings } from '../../apps/config/src/ops/ops-settings.js';
import { ConfigSettings } from '../../apps/config/src/settings.js';
import { DispatcherSettings } from '../../apps/dispatcher/src/settings.js';
import { IngestSettings } from '../../apps/ingest/src/settings.js';
import { readText } from './repository.js';

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

/** What the images set for every app. */
export function imageVariables(): Readonly<Record<string, string>> {
  const [, line] = /^ENV (NODE_ENV=.*)$/m.exec(readText('deploy/images/Dockerfile'))!;
  return asVariables(line!.split(' '));
}

/** `NAME=value` each. */
export const asVariables = (pairs: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));

const SECRETS = '/run/secrets/';

/**
 * What a service would start with: the variables of its image and those that it is given, read by the service's own
 * loader, with what `make-secrets` made in the files that they name.
 * @throws SettingsError that names what is missing or wrong
 */
export function settingsAsGiven<S extends object>(
  Class: SettingsClass<S>,
  given: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): Readonly<S> {
  const environment = Object.entries({ ...imageVariables(), ...given }).map(([name, value]) =>
    value.startsWith(SECRETS) ? [name.replace(/_FILE$/, ''), secrets[value.slice(SECRETS.length)]] : [name, value],
  );
  return loadSettings(Class, Object.fromEntries(environment) as Record<string, string>);
}

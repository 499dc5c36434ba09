import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileVariableOf, loadSettings, SettingsError, type SettingsClass } from '@form-webhooks/settings';
import { OpsFailure } from './ops-command.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What names an installation: if one of them is set, the environment is meant as a whole. */
export const NAMING = [
  ...['CONFIG_URL', 'ADMIN_API_KEY', 'DATABASE_URL', 'RABBITMQ_URL', 'SECRET_KEYS'],
  ...['HEALTH_URLS', 'MIGRATION_DATABASE_URL'],
];

/** The members of `.local/stack.json` that say where `npm start` has everything. */
interface StackFacts {
  readonly config_url: string;
  readonly admin_key: string;
  /** As the owner of the tables. */
  readonly database_url: string;
  /** Only where config runs as another role than the one that migrates. */
  readonly runtime_database_url?: string;
  readonly rabbitmq_url: string;
  readonly secret_keys: string;
  readonly health_urls: Readonly<Record<string, string>>;
  readonly ingest_url: string;
  /** Of a receiver on this machine, trusted by its dispatchers. */
  readonly certificate_file?: string;
  readonly certificate_key_file?: string;
}

/** The running installation that a command is about. */
export class Installation {
  constructor(
    /** For people: where its addresses and keys come from. */
    readonly source: string,
    readonly environment: Environment,
  ) {}

  /** @throws OpsFailure that names what is missing or wrong */
  settings<S extends object>(Class: SettingsClass<S>): Readonly<S> {
    try {
      return loadSettings(Class, this.environment);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      const advice = `correct it in ${this.source}; the settings are those of config (.env.example)`;
      throw new OpsFailure(error.message, advice);
    }
  }
}

/**
 * The installation that the environment names, or else the one that `npm start` runs in this folder. Never half of each:
 * a command that took its database from one and its broker from the other would mix two installations.
 * @throws OpsFailure if there is neither
 */
export function findInstallation(environment: Environment, folder: string): Installation {
  const isNamed = NAMING.some((name) => isSet(environment[name]) || isSet(environment[fileVariableOf(name)]));
  if (isNamed) return new Installation('the environment', environment);
  const file = join(folder, '.local', 'stack.json');
  if (existsSync(file))
    return new Installation(`${file} or in the environment`, { ...environment, ...environmentOf(readFacts(file)) });
  throw new OpsFailure(
    'no installation is named: .local/stack.json is not there, and no variable says where it is',
    `run it where \`npm start\` runs, or set ${NAMING.slice(0, 5).join(', ')} as config has them`,
  );
}

const isSet = (text: string | undefined): boolean => (text?.trim() ?? '') !== '';

function readFacts(file: string): StackFacts {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StackFacts;
  } catch (error) {
    throw new OpsFailure(`${file} can't be read: ${(error as Error).message}`, 'start `npm start` again');
  }
}

const environmentOf = (facts: StackFacts): Environment => ({
  CONFIG_URL: facts.config_url,
  ADMIN_API_KEY: facts.admin_key,
  DATABASE_URL: facts.runtime_database_url ?? facts.database_url,
  ...(facts.runtime_database_url === undefined
    ? {}
    : {
        MIGRATION_DATABASE_URL: facts.database_url,
        DATABASE_RUNTIME_ROLE: decodeURIComponent(new URL(facts.runtime_database_url).username),
      }),
  RABBITMQ_URL: facts.rabbitmq_url,
  SECRET_KEYS: facts.secret_keys,
  INGEST_URL: facts.ingest_url,
  BENCH_CERTIFICATE: facts.certificate_file,
  BENCH_CERTIFICATE_KEY: facts.certificate_key_file,
  HEALTH_URLS: Object.entries(facts.health_urls ?? {})
    .map(([service, url]) => `${service}=${url}`)
    .join(','),
});

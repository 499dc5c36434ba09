import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { LocalFailure } from '../failure.js';
import { readIfThere, readJsonIfThere, writePrivateFile } from './files.js';

/** What is made once for a checkout and kept in `.local/secrets.json`. */
export interface LocalSecrets {
  readonly ADMIN_API_KEY: string;
  readonly SECRET_KEYS: string;
}

/**
 * The secrets of the last start; fresh ones if there was none. Without `SECRET_KEYS` the endpoints' secrets could not be
 * opened again, so a file that doesn't hold both is left as it is for whoever repairs it.
 * @throws LocalFailure if it doesn't
 */
export function ensureSecrets(folder: string): LocalSecrets {
  const file = join(folder, 'secrets.json');
  if (readIfThere(file) !== undefined) return keptIn(file, folder);
  const secrets = {
    ADMIN_API_KEY: `local_admin_${randomBytes(24).toString('base64url')}`,
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  };
  writePrivateFile(file, `${JSON.stringify(secrets, undefined, 2)}\n`);
  return secrets;
}

function keptIn(file: string, folder: string): LocalSecrets {
  const { ADMIN_API_KEY, SECRET_KEYS } = readJsonIfThere<LocalSecrets>(file) ?? {};
  if (isFilled(ADMIN_API_KEY) && isFilled(SECRET_KEYS)) return { ADMIN_API_KEY, SECRET_KEYS };
  throw new LocalFailure(
    `The file ${file} is damaged: it is no JSON object with the texts ADMIN_API_KEY and SECRET_KEYS.`,
    `Repair it or bring it back: without SECRET_KEYS nothing opens what the database has sealed. To start with an empty ` +
      `database, remove it and ${join(folder, 'postgres')}.`,
  );
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What scripts need to know of a running stack: `.local/stack.json`. */
export interface StackFacts {
  readonly ingest_url: string;
  readonly config_url: string;
  /** Opens the dashboard signed in on the demonstration's form, as often as it is followed; null if none was built. */
  readonly dashboard_url: string | null;
  /** The same for a form without endpoints. */
  readonly dashboard_empty_url: string | null;
  readonly admin_key: string;
  readonly ingest_key: string;
  readonly rabbitmq_url: string;
  /** A program that is `rabbitmqctl` of the broker; only with a private one. */
  readonly rabbitmqctl?: string;
  /** As the owner of the tables, who may do everything in it. */
  readonly database_url: string;
  /** As config reaches it; only with a private server, where config runs as another role. */
  readonly runtime_database_url?: string;
  readonly secret_keys: string;
  /** Where each service tells how it is. */
  readonly health_urls: Readonly<Record<string, string>>;
  readonly ca_file: string;
  readonly ca_key_file: string;
  /** Of a receiver on this machine, by that authority. */
  readonly certificate_file: string;
  readonly certificate_key_file: string;
  readonly receiver_url: string;
  /** Only with `--observe`. */
  readonly prometheus_url?: string;
  /** Only once the demonstration has ended. */
  readonly demo?: 'passed' | 'failed';
}

export const writeStackFile = (file: string, facts: StackFacts): void =>
  writePrivateFile(file, `${JSON.stringify(facts, undefined, 2)}\n`);

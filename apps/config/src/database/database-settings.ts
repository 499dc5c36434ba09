import { asDuration, asInteger, asOneOf, asUrl, checkFilesIn, Setting } from '@form-webhooks/settings';
import { checkConnectionTls } from '@form-webhooks/storage';

/** Where the database is. */
export class DatabaseSettings {
  @Setting({
    env: 'DATABASE_URL',
    meaning:
      'the database, such as postgres://user:password@host:5432/name; with ?sslmode=verify-full&sslrootcert=file over TLS',
    parse: asDatabaseUrl,
    secret: true,
  })
  readonly url: string;
}

/** Who brings the schema up to date. */
export class SchemaSettings {
  @Setting({
    env: 'MIGRATION',
    meaning:
      'at_start: config brings the schema up to date at its start. by_job: `npm run ops -- migrate` does, as another role; config only looks whether it was done, and needs no right to change the schema',
    default: 'at_start',
    parse: asOneOf('at_start', 'by_job'),
  })
  readonly migration: 'at_start' | 'by_job';

  @Setting({
    env: 'MIGRATION_WAIT',
    meaning: 'with MIGRATION=by_job: how long a start waits for the job before it gives up with exit code 1',
    default: '1m',
    parse: asDuration(0, 3_600_000),
  })
  readonly waitMs: number;
}

/** How the service uses the database; the commands do it in their own way. */
export class PoolSettings {
  @Setting({
    env: 'DATABASE_POOL_SIZE',
    meaning: 'connections to the database that calls of the API may use at most, per replica',
    default: '16',
    parse: asInteger(4, 200),
  })
  readonly size: number;

  @Setting({
    env: 'DATABASE_LOG_POOL_SIZE',
    meaning: 'connections for writing the delivery log and for what works in the background, besides those of the API',
    default: '8',
    parse: asInteger(4, 200),
  })
  readonly logSize: number;

  @Setting({
    env: 'DATABASE_RPC_POOL_SIZE',
    meaning: 'connections for what ingest and the dispatchers ask, besides the others',
    default: '4',
    parse: asInteger(2, 200),
  })
  readonly rpcSize: number;

  @Setting({
    env: 'DATABASE_STATEMENT_TIMEOUT',
    meaning:
      'how long one statement may take before the database cancels it; a connection without any answer 5 s later is ended',
    default: '30s',
    parse: asDuration(100, 600_000),
  })
  readonly statementTimeoutMs: number;
}

/** The URL of a database, as it was written: TLS is verified or not there, and each file that it names can be read. */
export function asDatabaseUrl(text: string): string {
  const url = asUrl('postgres', 'postgresql')(text);
  checkConnectionTls(url);
  checkFilesIn(url, 'sslrootcert', 'sslcert', 'sslkey');
  return url;
}

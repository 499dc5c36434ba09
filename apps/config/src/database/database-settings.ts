import { asDuration, asInteger, asUrl, Setting } from '@form-webhooks/settings';

/** Where the database is. */
export class DatabaseSettings {
  @Setting({
    env: 'DATABASE_URL',
    meaning:
      'the database, such as postgres://user:password@host:5432/name; with ?sslmode=verify-full&sslrootcert=file over TLS',
    parse: asUrl('postgres', 'postgresql'),
    secret: true,
  })
  readonly url: string;
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

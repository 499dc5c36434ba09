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
    meaning: 'connections to the database at most',
    default: '16',
    parse: asInteger(4, 200),
  })
  readonly size: number;

  @Setting({
    env: 'DATABASE_STATEMENT_TIMEOUT',
    meaning: 'how long one statement may take before the database cancels it',
    default: '30s',
    parse: asDuration(100, 600_000),
  })
  readonly statementTimeoutMs: number;
}

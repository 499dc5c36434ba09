import { DataSource, type EntityManager } from 'typeorm';
import { checkConnectionTls } from '../connections/connection-tls.js';
import { LimitedClient, type ClientLimits } from '../connections/limited-client.js';
import { CONFIG_ENTITIES } from './entities.js';
import { CreateConfigTables1764200000000 } from '../migrations/1764200000000-create-config-tables.js';
import { CreateDeliveryLog1764201000000 } from '../migrations/1764201000000-create-delivery-log.js';
import { CreateReplays1764202000000 } from '../migrations/1764202000000-create-replays.js';
import { CreateReconciliations1764203000000 } from '../migrations/1764203000000-create-reconciliations.js';
import { IndexErasures1764204000000 } from '../migrations/1764204000000-index-erasures.js';
import { CreateIdempotentWrites1764205000000 } from '../migrations/1764205000000-create-idempotent-writes.js';
import { IndexRollUpHours1764207000000 } from '../migrations/1764207000000-index-roll-up-hours.js';
import { RecordEventOutcomes1764211000000 } from '../migrations/1764211000000-record-event-outcomes.js';
import { KeepRetiredSecrets1764215000000 } from '../migrations/1764215000000-keep-retired-secrets.js';
import { CreateEndpointHeaders1764220000000 } from '../migrations/1764220000000-create-endpoint-headers.js';
import { CreateEndpointFailures1764232000000 } from '../migrations/1764232000000-create-endpoint-failures.js';
import { ADDED_VALUES } from '../migrations/added-values.js';
import { ADDED_COLUMNS, ADDED_INDEXES } from '../migrations/additions.js';
import { CreateDashboardGrants1764236000000 } from '../migrations/dashboard/1764236000000-create-dashboard-grants.js';
import { CreateAttemptFailures1764251000000 } from '../migrations/dashboard/1764251000000-create-attempt-failures.js';
import { CreateDeliveryPauses1764261000000 } from '../migrations/pauses/1764261000000-create-delivery-pauses.js';
import { CreateLogDayFunctions1764260000000 } from '../migrations/log-days/1764260000000-create-log-day-functions.js';

/** The tables that TypeORM maps; `test/config/migrations.spec.ts` proves that they agree with the migrations. */
const ENTITIES = [...CONFIG_ENTITIES];

/** They run in the order of their numbers. A migration that has landed is never edited: write another. */
const MIGRATIONS = [
  CreateConfigTables1764200000000,
  CreateDeliveryLog1764201000000,
  CreateReplays1764202000000,
  CreateReconciliations1764203000000,
  IndexErasures1764204000000,
  CreateIdempotentWrites1764205000000,
  IndexRollUpHours1764207000000,
  RecordEventOutcomes1764211000000,
  KeepRetiredSecrets1764215000000,
  CreateEndpointHeaders1764220000000,
  CreateEndpointFailures1764232000000,
  CreateDashboardGrants1764236000000,
  CreateAttemptFailures1764251000000,
  CreateLogDayFunctions1764260000000,
  CreateDeliveryPauses1764261000000,
  ...ADDED_COLUMNS,
  ...ADDED_INDEXES,
  ...ADDED_VALUES,
];

/** The names of the migrations that this version has. */
export const knownMigrations = (): readonly string[] => MIGRATIONS.map((Migration) => new Migration().name!);

/** What a statement runs in: pass on the one you were given, so that everything of one change commits together. */
export type Transaction = EntityManager;

/** Whether an error is that of a statement which took longer than its limit. */
export const isStatementCancelled = (error: unknown): boolean => (error as { code?: unknown }).code === '57014';

/** Whether the role lacks a right that a statement needs. */
export const isForbidden = (error: unknown): boolean => (error as { code?: unknown }).code === '42501';

/** Whether an error is that of a statement which did not get a lock within `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03';

const CONFLICTS: readonly unknown[] = ['40001', '40P01'];

/** Whether a transaction lost to another one, as in a deadlock: all of it is undone, and the same may do at once. */
export const isOvertaken = (error: unknown): boolean => CONFLICTS.includes((error as { code?: unknown }).code);

export interface DatabaseOptions {
  /** `postgres://user:password@host:5432/name`; `?sslmode=verify-full&sslrootcert=file` for TLS. */
  readonly url: string;
  /** Shown in `pg_stat_activity`, so that an operator sees whose connection it is. */
  readonly applicationName: string;
  /** At least 2: the migration lock holds one connection while the migrations run on another. */
  readonly poolSize: number;
  /** A statement that takes longer is cancelled by the server, in ms. */
  readonly statementTimeoutMs: number;
  /** Told of errors on idle connections (the server went away); the pool replaces them by itself. */
  readonly onIdleError: (error: Error) => void;
  /** Told whenever the database says anything; nobody by default. */
  readonly onHeard?: () => void;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A transaction whose process hangs between two statements is ended by the server, so that it blocks nobody. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/** How much longer than the server's own limit for a statement its answer may take. */
const ANSWER_MARGIN_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
/**
 * The server's end of a connection that nobody hears any more goes as well, and with it locks of the session that
 * would keep a duty of every replica waiting: after 25 s in which nothing came, or 20 s in which nothing was
 * acknowledged.
 */
const SERVER_KEEP_ALIVE = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 20_000,
};

/**
 * The database as this process sees it; connects with `initialize()`. The schema comes from migrations alone.
 * @throws RangeError for a URL with unsafe TLS
 */
export function createDataSource(options: DatabaseOptions): DataSource {
  checkConnectionTls(options.url);
  return new DataSource({
    type: 'postgres',
    url: options.url,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    applicationName: options.applicationName,
    poolSize: Math.max(2, options.poolSize),
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    poolErrorHandler: options.onIdleError,
    extra: {
      statement_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      options: Object.entries(SERVER_KEEP_ALIVE)
        .map(([setting, value]) => `-c ${setting}=${value}`)
        .join(' '),
      Client: LimitedClient,
      ...limitsOf(options),
    },
  });
}

const limitsOf = ({ statementTimeoutMs, onHeard = () => undefined }: DatabaseOptions): ClientLimits => ({
  silenceMs: statementTimeoutMs + ANSWER_MARGIN_MS,
  onHeard,
});

import { join } from 'node:path';

export const SERVICES = ['config', 'dispatcher', 'ingest'] as const;
export type ServiceName = (typeof SERVICES)[number];

/**
 * How Node runs a service. Most of its objects live for one event: with twice the room for young ones the garbage
 * collector takes a tenth less of the CPU time, for some 30 MiB more.
 */
export const NODE_FLAGS: Readonly<Record<ServiceName, readonly string[]>> = {
  config: ['--enable-source-maps', '--max-semi-space-size=32'],
  dispatcher: ['--enable-source-maps', '--max-semi-space-size=32'],
  ingest: ['--enable-source-maps', '--max-semi-space-size=32'],
};

export const PORTS = [
  'config',
  'configHealth',
  'dispatcherHealth',
  'hostPage',
  'ingest',
  'ingestHealth',
  'prometheus',
  'receiver',
] as const;
export type Ports = Readonly<Record<(typeof PORTS)[number], number>>;

/** Retries within seconds, so that the demonstration needn't be waited for. */
export const LOCAL_RETRY_SCHEDULE = '1s,3s,10s,30s,90s,270s,810s,2430s,7290s';

/** What the services' environments are made of. */
export interface LocalEnvironment {
  /** The environment that `npm start` was given. */
  readonly outside: NodeJS.ProcessEnv;
  readonly databaseUrl: string;
  /** Whether `databaseUrl` names a role that may not change the schema, so that config doesn't migrate. */
  readonly isMigrated: boolean;
  /** Each service has a user of its own on a private broker. */
  readonly rabbitmqUrls: Readonly<Record<ServiceName, string>>;
  readonly adminKey: string;
  readonly secretKeys: string;
  readonly caFile: string;
  readonly ports: Ports;
}

/** What only some services may know: it isn't passed on from the outside to the others. */
const CONFIDED = ['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'SECRET_KEYS', 'ADMIN_API_KEY'];

/**
 * A service's environment. What the outside environment sets reaches the services and wins, except for addresses, which
 * belong to this start.
 */
export function environmentOf(service: ServiceName, local: LocalEnvironment): NodeJS.ProcessEnv {
  const outside = Object.fromEntries(Object.entries(local.outside).filter(([name]) => !CONFIDED.includes(name)));
  const defaults = { LOG_LEVEL: 'info', RETRY_SCHEDULE: LOCAL_RETRY_SCHEDULE };
  return { ...defaults, ...dropEmpty(outside), ...own(service, local) };
}

function own(service: ServiceName, local: LocalEnvironment): NodeJS.ProcessEnv {
  const { outside, ports, secretKeys } = local;
  const all = { RABBITMQ_URL: local.rabbitmqUrls[service], HTTP_HOST: '127.0.0.1', HEALTH_HOST: '127.0.0.1' };
  switch (service) {
    case 'config':
      return {
        ...all,
        HTTP_PORT: String(ports.config),
        HEALTH_PORT: String(ports.configHealth),
        DATABASE_URL: local.databaseUrl,
        ...(local.isMigrated ? { MIGRATION: 'by_job' } : {}),
        SECRET_KEYS: secretKeys,
        ADMIN_API_KEY: local.adminKey,
      };
    case 'ingest':
      return { ...all, HTTP_PORT: String(ports.ingest), HEALTH_PORT: String(ports.ingestHealth) };
    case 'dispatcher':
      return {
        ...all,
        HEALTH_PORT: String(ports.dispatcherHealth),
        SECRET_KEYS: secretKeys,
        // Lets deliveries reach receivers on this machine.
        EGRESS_ALLOW: outside['EGRESS_ALLOW'] || '127.0.0.0/8,::1/128',
        EGRESS_ALLOW_HOSTS: outside['EGRESS_ALLOW_HOSTS'] || 'localhost',
        EGRESS_CA_FILE: outside['EGRESS_CA_FILE'] || local.caFile,
        EGRESS_PORTS: outside['EGRESS_PORTS'] || '443,1024-65535',
      };
  }
}

/** A variable that is set to nothing counts as not set. */
const dropEmpty = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

/** What Node runs of a built service; see deploy/bundle. */
export const entryOf = (root: string, service: ServiceName): string =>
  join(root, 'apps', service, 'dist', 'bundle', 'main.js');

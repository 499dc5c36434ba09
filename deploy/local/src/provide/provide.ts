import type { Say } from './install-packages.js';
import { PostgresServer } from '../postgres/postgres-server.js';
import { RabbitMqServer } from '../rabbitmq/rabbitmq-server.js';

/** A server for the product: one of the user's own, which is never touched, or a private one. */
export interface Provided {
  readonly url: string;
  /** Undefined for a server of the user's own. */
  readonly server: PrivateServer | undefined;
  /** Brings a private one up; does nothing if it runs. */
  start(): Promise<void>;
  /** Ends a private one, also while it starts. */
  stop(): Promise<void>;
}

export interface PrivateServer {
  readonly url: string;
  readonly pid: number | undefined;
  /** Resolves when the process that was started last has ended. */
  readonly ended: Promise<unknown>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProvideOptions {
  /** Where a private one keeps its data. */
  readonly folder: string;
  /** False: a power cut may damage the data; for tests. */
  readonly durable?: boolean;
  readonly say?: Say;
  readonly env?: NodeJS.ProcessEnv;
}

/** The server that `DATABASE_URL` names, else a private one that isn't started yet. */
export const postgresFor = (options: ProvideOptions): Provided =>
  provided((options.env ?? process.env)['DATABASE_URL'], () => new PostgresServer(options));

/** The broker that `RABBITMQ_URL` names, else a private one that isn't started yet. */
export const rabbitMqFor = (options: ProvideOptions): Provided =>
  provided((options.env ?? process.env)['RABBITMQ_URL'], () => new RabbitMqServer(options));

/** The server that `DATABASE_URL` names, else a private one that runs. */
export const providePostgres = (options: ProvideOptions): Promise<Provided> => started(postgresFor(options));

/** The broker that `RABBITMQ_URL` names, else a private one that runs. */
export const provideRabbitMq = (options: ProvideOptions): Promise<Provided> => started(rabbitMqFor(options));

function provided(url: string | undefined, privateOne: () => PrivateServer): Provided {
  if (url) return { url, server: undefined, start: () => Promise.resolve(), stop: () => Promise.resolve() };
  const server = privateOne();
  return {
    get url() {
      return server.url;
    },
    server,
    start: () => server.start(),
    stop: () => server.stop(),
  };
}

async function started(one: Provided): Promise<Provided> {
  await one.start();
  return one;
}

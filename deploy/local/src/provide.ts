import type { Say } from './install-packages.js';
import { PostgresServer } from './postgres-server.js';
import { RabbitMqServer } from './rabbitmq-server.js';

/** A server that is there: one of the user's own, or a private one that `stop` ends. */
export interface Provided {
  readonly url: string;
  /** Undefined for a server of the user's own, which is never touched. */
  readonly server: PrivateServer | undefined;
  stop(): Promise<void>;
}

export interface PrivateServer {
  readonly pid: number | undefined;
  readonly ended: Promise<unknown>;
}

export interface ProvideOptions {
  /** Where a private one keeps its data. */
  readonly folder: string;
  /** False: a power cut may damage the data; for tests. */
  readonly durable?: boolean;
  readonly say?: Say;
  readonly env?: NodeJS.ProcessEnv;
}

/** The server that `DATABASE_URL` names, else a private one. */
export async function providePostgres(options: ProvideOptions): Promise<Provided> {
  const url = (options.env ?? process.env)['DATABASE_URL'];
  if (url) return ofTheUser(url);
  const server = new PostgresServer(options);
  await server.start();
  return { url: server.url, server, stop: () => server.stop() };
}

/** The broker that `RABBITMQ_URL` names, else a private one. */
export async function provideRabbitMq(options: ProvideOptions): Promise<Provided> {
  const url = (options.env ?? process.env)['RABBITMQ_URL'];
  if (url) return ofTheUser(url);
  const server = new RabbitMqServer(options);
  await server.start();
  return { url: server.url, server, stop: () => server.stop() };
}

const ofTheUser = (url: string): Provided => ({ url, server: undefined, stop: () => Promise.resolve() });

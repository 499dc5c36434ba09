import {
  ensureAuthority,
  PostgresServer,
  providePostgres,
  provideRabbitMq,
  RabbitMqServer,
  temporaryFolder,
  type Provided,
} from '@form-webhooks/local';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeTemplates, type Templates } from './config/template-database.js';
import { virtualHostsOf } from './virtual-host.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** `postgresql://…`, with the right to create databases: one of its own for each test file. */
    databaseUrl: string;
    /** The same as a role without rights of its own; null where PostgreSQL is one of the user's own. */
    runtimeDatabaseUrl: string | null;
    /** See `migratedDatabase()`. */
    templates: Templates;
    /** `amqp://…`, and whether it has a virtual host for each spec file; see `brokerUrl()`. */
    broker: { readonly url: string; readonly hasOthers: boolean };
    /** A certificate authority for receivers: `issueCertificate(await loadAuthority(caFile, caKeyFile), …)`. */
    caFile: string;
    caKeyFile: string;
  }
}

/**
 * A quorum queue renews its figures for metrics every five seconds, also when nobody uses it any more. Those of all files
 * together, some thousands, would take a third of a core. What a test asks of a queue is answered by the queue itself.
 */
const CALM_QUEUES = 'ok = application:set_env(rabbit, quorum_tick_interval, 60000).';

/**
 * One PostgreSQL, one RabbitMQ and one certificate authority for the whole run, in a temporary folder. They are ended with
 * the run; should it be killed, a guardian process ends them and removes the folder.
 *
 * Test files get them by `inject('databaseUrl')`, `brokerUrl()` and so on.
 */
export default async function provideServers(project: TestProject): Promise<() => Promise<void>> {
  const folder = temporaryFolder('form-webhooks-test-');
  const running: Pick<Provided, 'stop'>[] = [];
  const end = async (): Promise<void> => {
    for (const server of running.reverse()) await server.stop();
    folder.remove();
  };
  try {
    const authority = await ensureAuthority(join(folder.path, 'ca'));
    const say = (line: string): void => console.log(line);
    const postgres = await providePostgres({ folder: join(folder.path, 'postgres'), durable: false, say });
    running.push(postgres);
    const { templates, drop } = await makeTemplates(postgres.url);
    running.push({ stop: drop });
    const rabbitmq = await provideRabbitMq({ folder: join(folder.path, 'rabbitmq'), say });
    running.push({ stop: () => endBroker(rabbitmq) });
    project.provide('databaseUrl', postgres.url);
    project.provide(
      'runtimeDatabaseUrl',
      postgres.server instanceof PostgresServer ? postgres.server.runtimeUrl : null,
    );
    project.provide('templates', templates);
    const hasOthers = await addVirtualHosts(rabbitmq, await specFilesOf(project));
    project.provide('broker', { url: rabbitmq.url, hasOthers });
    project.provide('caFile', authority.certificateFile);
    project.provide('caKeyFile', authority.keyFile);
    return end;
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

/** The queues of all spec files, which nobody needs any more, would take an orderly stop a while. */
const endBroker = (broker: Provided): Promise<void> =>
  broker.server instanceof RabbitMqServer ? broker.server.discard() : broker.stop();

const specFilesOf = async (project: TestProject): Promise<string[]> => (await project.globTestFiles()).testFiles;

/** A broker of the user's own has only the virtual host of its URL, so spec files run one after another there. */
async function addVirtualHosts({ server }: Provided, specFiles: readonly string[]): Promise<boolean> {
  if (!(server instanceof RabbitMqServer)) return false;
  await server.evaluate(CALM_QUEUES);
  await server.addVirtualHosts(specFiles.flatMap(virtualHostsOf));
  return true;
}

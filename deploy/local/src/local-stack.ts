import { join } from 'node:path';
import { existsSync, rmSync } from 'node:fs';
import { ApiClient } from './demonstration/api-client.js';
import { ensureAuthority, issueCertificate, type CertificateAuthority } from './state/certificates.js';
import { DemoReceiver, type ReceivedRequest } from './demonstration/demo-receiver.js';
import { DEMO_FORM, DemoSetup } from './demonstration/demo-setup.js';
import { HostPage } from './demonstration/host-page.js';
import { demonstrate } from './demonstration/demonstration.js';
import { LocalFailure, reasonOf } from './failure.js';
import { makePrivateFolder, readJsonIfThere, writePrivateFile } from './state/files.js';
import { choosePorts } from './provide/free-port.js';
import { guardian } from './processes/guardian.js';
import { keepRunning } from './processes/keep-running.js';
import { ensureSecrets, writeStackFile, type StackFacts } from './state/private-state.js';
import { PrometheusServer } from './observe/prometheus-server.js';
import { migrateAsOwner } from './postgres/migrate-as-owner.js';
import { PostgresServer } from './postgres/postgres-server.js';
import { postgresFor, rabbitMqFor, type Provided } from './provide/provide.js';
import { RabbitMqServer } from './rabbitmq/rabbitmq-server.js';
import { brokerUrls } from './rabbitmq/service-users.js';
import { howOf, startService, type ServiceProcess } from './processes/service-process.js';
import {
  entryOf,
  environmentOf,
  LOCAL_RETRY_SCHEDULE,
  NODE_FLAGS,
  PORTS,
  SERVICES,
  type Ports,
} from './processes/services.js';
import type { ServiceName, LocalEnvironment } from './processes/services.js';
import type { StopList } from './processes/stop-list.js';

export interface LocalStackOptions {
  readonly root: string;
  /** Where a service is that does not run from the root, such as the file set of its image. */
  readonly rootOf?: Partial<Readonly<Record<ServiceName, string>>>;
  /** Where the state of this checkout lies. */
  readonly folder: string;
  readonly say: (line: string) => void;
  readonly stops: StopList;
  /** Whether a Prometheus runs beside it; none does by default. */
  readonly observe?: boolean;
  /** Aborted when everything is to stop. */
  readonly signal: AbortSignal;
}

/** Everything that `npm start` runs, in the order in which it is started. */
export class LocalStack {
  private readonly folder: string;
  private readonly say: (line: string) => void;
  private readonly stackFile: string;
  private readonly certificateFile: string;
  private readonly certificateKeyFile: string;
  /** Undefined without one. */
  private prometheus: { readonly url: string; readonly alertsUrl: string } | undefined;

  constructor(private readonly options: LocalStackOptions) {
    this.folder = options.folder;
    this.say = options.say;
    this.stackFile = join(options.folder, 'stack.json');
    this.certificateFile = join(options.folder, 'receiver.pem');
    this.certificateKeyFile = join(options.folder, 'receiver-key.pem');
  }

  async run(): Promise<void> {
    makePrivateFolder(this.folder);
    rmSync(this.stackFile, { force: true }); // Left by a start that was killed: nothing in it is true any more.
    const authority = await ensureAuthority(join(this.folder, 'ca'));
    const ports = await this.ports();
    const [database, broker] = await this.startServers();
    const secrets = ensureSecrets(this.folder);
    const owned = database.server instanceof PostgresServer ? database.server : undefined;
    const local: LocalEnvironment = {
      outside: process.env,
      databaseUrl: owned?.runtimeUrl ?? database.url,
      isMigrated: owned !== undefined,
      rabbitmqUrls: await brokerUrls(broker),
      adminKey: process.env['ADMIN_API_KEY'] || secrets.ADMIN_API_KEY,
      secretKeys: process.env['SECRET_KEYS'] || secrets.SECRET_KEYS,
      caFile: authority.certificateFile,
      ports,
    };
    // First the one that answers what the others ask.
    await this.startAndKeep('config', local);
    await settled(SERVICES.filter((name) => name !== 'config').map((name) => this.startAndKeep(name, local)));
    const refusals = refusalsFor(process.env['RETRY_SCHEDULE'] || LOCAL_RETRY_SCHEDULE);
    const receiver = await this.startReceiver(authority, ports, refusals);
    await this.startPrometheus(ports);
    const servers = {
      broker: broker.url,
      ...(broker.server instanceof RabbitMqServer ? { rabbitmqctl: broker.server.ctlFile } : {}),
      ...(owned === undefined ? {} : { owner: owned.url }),
    };
    await this.show(local, servers, authority, receiver, refusals);
  }

  /** Before the demonstration, so that there is something to be seen. */
  private async startPrometheus(ports: Ports): Promise<void> {
    if (this.options.observe !== true) return;
    this.throwIfStopping();
    this.say('Starting Prometheus');
    const server = new PrometheusServer({
      folder: join(this.folder, 'prometheus'),
      rulesFile: join(this.options.root, 'deploy', 'observability', 'rules.yaml'),
      port: ports.prometheus,
      healthPorts: { config: ports.configHealth, dispatcher: ports.dispatcherHealth, ingest: ports.ingestHealth },
      say: this.say,
    });
    this.options.stops.add('Prometheus', () => server.stop());
    await server.start();
    this.prometheus = { url: server.url, alertsUrl: await server.alertsUrl() };
    const ended = async (): Promise<string> => (await server.ended, '');
    const { signal } = this.options;
    void keepRunning({ name: 'Prometheus', ended, start: () => server.start(), signal, say: this.say });
  }

  /** Those of the last start where they still are free, so that addresses stay the same. */
  private async ports(): Promise<Ports> {
    const file = join(this.folder, 'ports.json');
    const ports = await choosePorts(PORTS, readJsonIfThere<Ports>(file));
    writePrivateFile(file, JSON.stringify(ports));
    return ports;
  }

  /** Both at once; the broker takes the longer. */
  private async startServers(): Promise<[Provided, Provided]> {
    this.say('Starting PostgreSQL and RabbitMQ');
    const database = postgresFor({ folder: join(this.folder, 'postgres'), say: this.say });
    const broker = rabbitMqFor({ folder: join(this.folder, 'rabbitmq'), say: this.say });
    // Added before they run, as they can be told to stop while they start.
    this.options.stops.add('PostgreSQL', () => database.stop());
    this.options.stops.add('RabbitMQ', () => broker.stop());
    await settled([database.start().then(() => this.migrate(database)), broker.start()]);
    this.throwIfStopping();
    this.keepServer('PostgreSQL', database);
    this.keepServer('RabbitMQ', broker);
    return [database, broker];
  }

  /** A database of the user's own is config's to migrate, as the role that its URL names. */
  private async migrate({ server }: Provided): Promise<void> {
    if (!(server instanceof PostgresServer)) return;
    this.throwIfStopping();
    await migrateAsOwner(this.options.rootOf?.config ?? this.options.root, server.url);
  }

  private keepServer(name: string, { server }: Provided): void {
    if (!server) return;
    const ended = async (): Promise<string> => (await server.ended, '');
    void keepRunning({ name, ended, start: () => server.start(), signal: this.options.signal, say: this.say });
  }

  private async startAndKeep(name: ServiceName, local: LocalEnvironment): Promise<void> {
    this.throwIfStopping();
    this.say(`Starting ${name}`);
    let current: ServiceProcess | undefined;
    this.options.stops.add(name, async () => current?.stop());
    const start = (): Promise<ServiceProcess> =>
      startService({
        name,
        entry: entryOf(this.options.rootOf?.[name] ?? this.options.root, name),
        flags: NODE_FLAGS[name],
        env: environmentOf(name, local),
        recordFolder: makePrivateFolder(join(this.folder, 'run')),
        print: this.say,
        onProcess: (service) => (current = service),
      });
    await start().catch((thrown: unknown) => {
      throw withAdviceOnQueues(thrown, join(this.folder, 'rabbitmq'));
    });
    const ended = async (): Promise<string> => ` (${howOf(await current!.ended)})`;
    void keepRunning({ name, ended, start, signal: this.options.signal, say: this.say });
  }

  private async startReceiver(authority: CertificateAuthority, ports: Ports, refusals: number): Promise<DemoReceiver> {
    const certificate = await issueCertificate(authority);
    writePrivateFile(this.certificateFile, certificate.cert);
    writePrivateFile(this.certificateKeyFile, certificate.key);
    const receiver = new DemoReceiver(certificate, refusals, (request) => this.say(lineOf(request)));
    await receiver.listen(ports.receiver);
    this.options.stops.add('The receiver', () => receiver.close());
    return receiver;
  }

  /** Sets the demonstration up, tells scripts where everything is, demonstrates, and tells people. */
  private async show(
    local: LocalEnvironment,
    servers: { readonly broker: string; readonly rabbitmqctl?: string; readonly owner?: string },
    authority: CertificateAuthority,
    receiver: DemoReceiver,
    refusals: number,
  ) {
    const { ports } = local;
    const urls = {
      config: `http://127.0.0.1:${ports.config}`,
      ingest: `http://127.0.0.1:${ports.ingest}`,
      receiver: `https://localhost:${ports.receiver}`,
    };
    const config = new ApiClient(urls.config, local.adminKey);
    const setup = new DemoSetup(config, join(this.folder, 'demo.json'));
    await setup.registerForm();
    const ingestKey = await setup.ingestKey();
    const facts: StackFacts = {
      ingest_url: urls.ingest,
      config_url: urls.config,
      ...(await this.dashboardLinks(config, urls.config, setup, ports)),
      admin_key: local.adminKey,
      ingest_key: ingestKey,
      rabbitmq_url: servers.broker,
      ...(servers.rabbitmqctl === undefined ? {} : { rabbitmqctl: servers.rabbitmqctl }),
      database_url: servers.owner ?? local.databaseUrl,
      ...(servers.owner === undefined ? {} : { runtime_database_url: local.databaseUrl }),
      secret_keys: local.secretKeys,
      health_urls: {
        config: `http://127.0.0.1:${ports.configHealth}`,
        dispatcher: `http://127.0.0.1:${ports.dispatcherHealth}`,
        ingest: `http://127.0.0.1:${ports.ingestHealth}`,
      },
      ca_file: authority.certificateFile,
      ca_key_file: authority.keyFile,
      certificate_file: this.certificateFile,
      certificate_key_file: this.certificateKeyFile,
      receiver_url: urls.receiver,
      ...(this.prometheus === undefined ? {} : { prometheus_url: this.prometheus.url }),
    };
    this.throwIfStopping();
    this.announce(facts);
    const ingest = new ApiClient(urls.ingest, ingestKey);
    const passed = await this.demonstration({ config, ingest, setup, receiver, refusals, url: urls.receiver });
    this.throwIfStopping();
    writeStackFile(this.stackFile, { ...facts, demo: passed ? 'passed' : 'failed' });
    this.tell(facts, passed);
  }

  /** The file says what holds while it is there: it goes first when everything stops, and with this process if that dies. */
  private announce(facts: StackFacts): void {
    guardian.removeAtDeath(this.stackFile);
    writeStackFile(this.stackFile, facts);
    this.options.stops.add('stack.json', async () => {
      rmSync(this.stackFile, { force: true });
      guardian.isRemoved(this.stackFile);
    });
  }

  private async demonstration(demo: Demo): Promise<boolean> {
    const { config, ingest, setup, receiver, refusals, url } = demo;
    const schedule = process.env['RETRY_SCHEDULE'];
    this.say(
      schedule
        ? `\nDemonstration (retries after ${schedule}, as RETRY_SCHEDULE says; it waits for them)`
        : `\nDemonstration (retries after ${LOCAL_RETRY_SCHEDULE}; set RETRY_SCHEDULE for others)`,
    );
    try {
      const endpoints = [
        await setup.endpoint('healthy', `${url}/healthy`),
        await setup.endpoint('flaky', `${url}/flaky`),
      ];
      for (const { name, secret } of endpoints) receiver.trust(`/${name}`, secret);
      const { signal } = this.options;
      await demonstrate({ config, ingest, receiver, endpoints, refusals, say: this.say, signal });
      this.say('demo: passed');
      return true;
    } catch (thrown) {
      this.throwIfStopping();
      this.say(`demo: failed\n${reasonOf(thrown)}`);
      return false;
    }
  }

  private async dashboardLinks(
    config: ApiClient,
    configUrl: string,
    setup: DemoSetup,
    ports: Ports,
  ): Promise<Pick<StackFacts, 'dashboard_url' | 'dashboard_empty_url'>> {
    if (!existsSync(join(this.options.root, 'apps', 'dashboard', 'dist', 'index.html'))) {
      return { dashboard_url: null, dashboard_empty_url: null };
    }
    const page = new HostPage(config, configUrl);
    await page.listen(ports.hostPage);
    this.options.stops.add("The host product's page", () => page.close());
    return { dashboard_url: page.linkTo(DEMO_FORM), dashboard_empty_url: page.linkTo(await setup.emptyForm()) };
  }

  private tell(facts: StackFacts, passed: boolean): void {
    const lines = [
      '',
      passed ? 'Everything runs.' : 'Everything runs, but the demonstration failed (see above).',
      `  events     POST ${facts.ingest_url}/v1/events   key ${facts.ingest_key}`,
      `  API        ${facts.config_url}/v1   documentation ${facts.config_url}/docs   key ${facts.admin_key}`,
      `  dashboard  ${facts.dashboard_url ?? 'none was built'}`,
      `             ${facts.dashboard_empty_url ?? '-'}   for a form without endpoints`,
      `  receiver   ${facts.receiver_url} (certificates by ${facts.ca_file})`,
      ...(facts.rabbitmqctl === undefined ? [] : [`  broker     ${facts.rabbitmqctl} is its rabbitmqctl`]),
      ...(this.prometheus === undefined
        ? []
        : [`  metrics    ${this.prometheus.url}/graph   alerts ${this.prometheus.alertsUrl}`]),
      `  all of it  ${this.stackFile}`,
      'Ctrl-C stops it; what it stored stays.',
      '',
    ];
    lines.forEach(this.say);
  }

  /** @throws LocalFailure */
  private throwIfStopping(): void {
    if (this.options.signal.aborted) throw new LocalFailure('Told to stop.');
  }
}

/** Waits for all of them, so that none is under way when the first failure is thrown. */
async function settled(tasks: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(tasks)).find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Queues can't change their arguments: those of another version of this code stay as they are until they are removed. */
function withAdviceOnQueues(thrown: unknown, brokerFolder: string): unknown {
  if (!reasonOf(thrown).includes('PRECONDITION_FAILED')) return thrown;
  return new LocalFailure(
    reasonOf(thrown),
    `The broker has queues that another version of this code made. Unless RABBITMQ_URL names it, remove ${brokerFolder} ` +
      '(what still waits in its queues is lost, what is in the database stays) and start again.',
  );
}

interface Demo {
  readonly config: ApiClient;
  readonly ingest: ApiClient;
  readonly setup: DemoSetup;
  readonly receiver: DemoReceiver;
  readonly refusals: number;
  readonly url: string;
}

/** `/flaky` refuses twice, or as often as there are retries. */
const refusalsFor = (schedule: string): number => Math.min(2, schedule.split(',').filter((rung) => rung.trim()).length);

const lineOf = (request: ReceivedRequest): string => {
  const checks = request.plainSignature && request.standardSignature ? 'signatures ok' : 'signature not verified';
  return `[receiver] POST ${request.path} ${request.event} ${request.deliveryId} ${checks} → ${request.status}`;
};

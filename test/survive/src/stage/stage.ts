import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  chooseFreePort,
  ensureAuthority,
  migrateAsOwner,
  PostgresServer,
  type CertificateAuthority,
} from '@form-webhooks/local';
import { BrokerCluster } from './broker-cluster.js';
import type { BrokerUnderTest } from './broker-under-test.js';
import { Receivers } from '../receivers/receivers.js';
import { Service, THIS_BUILD, type AppName } from './service.js';
import { SCALED_TIME, type SurvivalSettings } from '../settings.js';
import { ServiceProxies } from './service-proxies.js';
import { SingleBroker } from './single-broker.js';
import { SmallDisk } from './small-disk.js';

const READY_MS = 120_000;
const LOOK_MS = 100;

/** Everything that runs: servers and receivers of the run's own, and the product's services as processes. */
export class Stage {
  /** The first service key; a fault may put another in its place. */
  adminKey = `admin-${randomBytes(24).toString('hex')}`;
  readonly services: Service[] = [];
  readonly postgres: PostgresServer;
  readonly broker: BrokerUnderTest;
  /** The broker, if it is one of several nodes. */
  readonly cluster: BrokerCluster | undefined;
  receivers: Receivers;
  /** Vouches for the receivers; a fault may put another in its place. */
  authority: CertificateAuthority;
  /** The ring that a new process gets; a fault may put another in its place. */
  secretKeys = `k1:${randomBytes(32).toString('base64')}`;
  /** The file systems of the servers, if they can be filled. */
  readonly disks: { readonly postgres: SmallDisk; readonly broker: SmallDisk } | undefined;
  private readonly httpPorts = new Map<string, number>();
  private made = 0;
  private readonly goneCrashes: string[] = [];

  constructor(
    /** Everything of the run lies in it. */
    readonly folder: string,
    private readonly settings: SurvivalSettings,
  ) {
    const [postgres, rabbitmq] = [join(folder, 'postgres'), join(folder, 'rabbitmq')];
    this.postgres = new PostgresServer({ folder: postgres, durable: false });
    this.cluster = settings.cluster ? new BrokerCluster(rabbitmq) : undefined;
    this.broker = this.cluster ?? new SingleBroker(rabbitmq);
    const mayFill = settings.needs?.includes('small disks');
    this.disks = mayFill ? { postgres: new SmallDisk(postgres), broker: new SmallDisk(rabbitmq) } : undefined;
  }

  async start(): Promise<void> {
    mkdirSync(this.logFolder, { recursive: true });
    this.authority = await ensureAuthority(join(this.folder, 'ca'));
    this.receivers = await Receivers.start(this.authority, join(this.folder, 'posts.txt'));
    await this.disks?.postgres.mount();
    await this.disks?.broker.mount();
    await Promise.all([this.postgres.start(), this.broker.start()]);
    await this.migrate(this.settings.earlierBuild ?? THIS_BUILD);
    const { ingests, dispatchers, configs = 1 } = this.settings;
    for (let n = 0; n < configs; n += 1) await this.add('config');
    for (let n = 0; n < dispatchers; n += 1) await this.add('dispatcher');
    for (let n = 0; n < ingests; n += 1) await this.add('ingest');
    await this.untilReady();
  }

  /** In order: services before what they need. */
  async stop(): Promise<void> {
    for (const service of this.services) service.thaw();
    await Promise.all(this.services.filter(({ pid }) => pid !== undefined).map((service) => service.terminate()));
    for (const { plan } of this.services) await plan.proxies?.close();
    this.receivers?.stop();
    await Promise.all([this.postgres.stop(), this.broker.stop()]);
    await this.disks?.postgres.unmount();
    await this.disks?.broker.unmount();
  }

  get logFolder(): string {
    return join(this.folder, 'services');
  }

  /** @throws Error in a run without one */
  get earlierBuild(): string {
    const { earlierBuild } = this.settings;
    if (earlierBuild === undefined) throw new Error('this run has no earlier build: --from names one');
    return earlierBuild;
  }

  /** The migration job of a version: as the owner of the database, which config is not. */
  async migrate(build: string): Promise<void> {
    if (this.hasTwoRoles) await migrateAsOwner(build, this.postgres.url);
  }

  /** A version that knows of no job has one role in the database, as it always had. */
  private get hasTwoRoles(): boolean {
    const { earlierBuild } = this.settings;
    return (
      earlierBuild === undefined || readFileSync(join(earlierBuild, '.env.example'), 'utf8').includes('MIGRATION=')
    );
  }

  get configUrl(): string {
    return this.urlOf(this.of('config')[0]!);
  }

  get ingestUrls(): string[] {
    return this.of('ingest').map((service) => this.urlOf(service));
  }

  of(app: AppName): Service[] {
    return this.services.filter((service) => service.plan.app === app);
  }

  /** One more process of a service. */
  async add(app: AppName): Promise<Service> {
    this.made += 1;
    const name = `${app}-${this.made}`;
    const [healthPort, httpPort] = [await chooseFreePort(), await chooseFreePort()];
    this.httpPorts.set(name, httpPort);
    const proxies = this.settings.needs?.includes('proxies') ? new ServiceProxies() : undefined;
    const env = { ...(await this.environment(app, proxies)), HTTP_PORT: `${httpPort}`, HEALTH_PORT: `${healthPort}` };
    const { earlierBuild: build } = this.settings;
    const service = new Service({ app, name, env, healthPort, build, proxies, folder: this.logFolder });
    this.services.push(service);
    await service.start();
    return service;
  }

  /** Takes a process away for good; what it crashed with before stays known. */
  async remove(service: Service): Promise<void> {
    await service.plan.proxies?.close();
    this.services.splice(this.services.indexOf(service), 1);
    this.goneCrashes.push(...service.crashes);
  }

  /** Ends of services that no fault asked for. */
  get crashes(): readonly string[] {
    return [...this.goneCrashes, ...this.services.flatMap(({ crashes }) => crashes)];
  }

  /** @throws Error that names who isn't ready in time */
  async untilReady(withinMs = READY_MS): Promise<void> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const ready = await Promise.all(this.services.map((service) => service.isReady()));
      const late = this.services.filter((_, n) => !ready[n]).map(({ name }) => name);
      if (late.length === 0) return;
      if (Date.now() > deadline) throw new Error(`not ready within ${withinMs / 1_000} s: ${late.join(', ')}`);
      await wait(LOOK_MS);
    }
  }

  private urlOf({ name }: Service): string {
    return `http://127.0.0.1:${this.httpPorts.get(name)}`;
  }

  private async environment(app: AppName, proxies?: ServiceProxies): Promise<Record<string, string>> {
    const { secretKeys, adminKey } = this;
    const common = {
      NODE_ENV: 'production',
      RABBITMQ_URL: (await proxies?.open('RabbitMQ', this.broker.url)) ?? this.broker.url,
      HTTP_HOST: '127.0.0.1',
      HEALTH_HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      ...SCALED_TIME,
      ...this.settings.env,
    };
    if (app === 'ingest') return common;
    if (app === 'dispatcher') return { ...common, SECRET_KEYS: secretKeys, ...this.egress() };
    const { url, runtimeUrl } = this.postgres;
    const ownUrl = this.hasTwoRoles ? runtimeUrl : url;
    const databaseUrl = (await proxies?.open('PostgreSQL', ownUrl)) ?? ownUrl;
    const migration = this.hasTwoRoles ? 'by_job' : 'at_start';
    const keys = { SECRET_KEYS: secretKeys, ADMIN_API_KEY: adminKey };
    return { ...common, ...keys, DATABASE_URL: databaseUrl, MIGRATION: migration };
  }

  private egress(): Record<string, string> {
    return {
      EGRESS_ALLOW: '127.0.0.0/8,::1/128',
      EGRESS_ALLOW_HOSTS: 'localhost',
      EGRESS_CA_FILE: this.authority.certificateFile,
    };
  }
}

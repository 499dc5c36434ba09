import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import {
  chooseFreePort,
  ensureAuthority,
  entryOf,
  providePostgres,
  provideRabbitMq,
  NODE_FLAGS,
  startService,
  temporaryFolder,
  type CertificateAuthority,
  type Provided,
  type ServiceName,
  type ServiceProcess,
} from '@form-webhooks/local';
import got, { type HTTPError, type Method } from 'got';
import { cpuMs, cpuMsOfTree } from './cpu-time.js';
import { BenchReceiver } from './receiver.js';

const ROOT = join(import.meta.dirname, '../../..');

/** Servers, services and receiver on one machine. The numbers include what each of them costs. */
export class BenchStack {
  readonly adminKey = `bench-${randomBytes(24).toString('hex')}`;
  readonly folder = temporaryFolder('form-webhooks-bench-');
  receiver!: BenchReceiver;
  authority!: CertificateAuthority;
  postgres!: Provided;
  rabbitmq!: Provided;
  configUrl = '';
  ingestUrl = '';
  /** Where each service serves its health and metrics. */
  readonly healthUrls = new Map<string, string>();
  private readonly services: ServiceProcess[] = [];

  /** Says what was answered where that is no success. */
  private readonly client = got.extend({
    retry: { limit: 0 },
    hooks: {
      beforeError: [
        (error) => {
          error.message += `: ${String((error as HTTPError).response?.body)}`;
          return error;
        },
      ],
    },
  });

  private constructor(private readonly root: string) {}

  /** @param root a checkout that is built, if not this one */
  static async start(env: Readonly<Record<string, string>> = {}, root = ROOT, dispatchers = 1): Promise<BenchStack> {
    const stack = new BenchStack(root);
    try {
      await stack.launch(env, dispatchers);
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    this.receiver?.stop();
    await this.rabbitmq?.stop();
    await this.postgres?.stop();
    this.folder.remove();
  }

  get caFile(): string {
    return this.authority.certificateFile;
  }

  async api(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${this.adminKey}` };
    const url = `${this.configUrl}${path}`;
    const text = await this.client(url, { method: method as Method, headers, ...(body && { json: body }) }).text();
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  }

  /** A form with endpoints at these paths of the receiver. */
  async form(id: string, paths: readonly string[]): Promise<void> {
    await this.api('PUT', `/v1/forms/${id}`, { workspace_id: 'ws_bench', name: id });
    for (const path of paths) await this.api('POST', `/v1/forms/${id}/endpoints`, { url: this.receiver.url(path) });
  }

  pidOf(name: string): number {
    const found = this.services.find((service) => service.name === name);
    if (!found) throw new Error(`no ${name} runs`);
    return found.pid;
  }

  /** Of every process of a service. */
  pidsOf(name: string): number[] {
    return this.services.filter((service) => service.name === name).map(({ pid }) => pid);
  }

  /** @throws Error if it is somebody else's server: its cost can't be told */
  serverPid(name: 'rabbitmq' | 'postgres'): number {
    const pid = this[name].server?.pid;
    if (pid === undefined) throw new Error(`${name} is a server of somebody else: its cost can not be told`);
    return pid;
  }

  /** Ends every process of a service, in order. */
  async stopAll(name: string): Promise<void> {
    await Promise.all(this.services.filter((service) => service.name === name).map((service) => service.stop()));
  }

  /** CPU time used so far by each part, ms. */
  cpu(): Record<string, number> {
    const parts: [string, number | undefined][] = [
      ...this.services.map(({ name, pid }): [string, number] => [name, pid]),
      ['rabbitmq', this.rabbitmq.server?.pid],
      ['postgres', this.postgres.server?.pid],
      ['receiver', this.receiver.pid],
      ['bench', process.pid],
    ];
    return Object.fromEntries(
      parts.flatMap(([name, pid]) =>
        pid === undefined ? [] : [[name, name === 'bench' ? cpuMs(pid) : cpuMsOfTree(pid)]],
      ),
    );
  }

  private async launch(env: Readonly<Record<string, string>>, dispatchers: number): Promise<void> {
    const say = (line: string): void => console.log(line);
    this.authority = await ensureAuthority(join(this.folder.path, 'ca'));
    this.postgres = await providePostgres({ folder: join(this.folder.path, 'postgres'), say });
    this.rabbitmq = await provideRabbitMq({ folder: join(this.folder.path, 'rabbitmq'), say });
    this.receiver = await BenchReceiver.start(this.authority);
    const [configPort, ingestPort] = [await chooseFreePort(), await chooseFreePort()];
    this.configUrl = `http://127.0.0.1:${configPort}`;
    this.ingestUrl = `http://127.0.0.1:${ingestPort}`;
    const common = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      RABBITMQ_URL: this.rabbitmq.url,
      DATABASE_URL: this.postgres.url,
      HTTP_HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ADMIN_API_KEY: this.adminKey,
      SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      EGRESS_ALLOW: '127.0.0.0/8,::1/128',
      EGRESS_ALLOW_HOSTS: 'localhost',
      EGRESS_CA_FILE: this.caFile,
      EVENTS_PER_SECOND: '1000000',
      ...env,
    };
    await this.service('config', { ...common, HTTP_PORT: String(configPort) });
    for (let n = 0; n < dispatchers; n++) await this.service('dispatcher', common);
    await this.service('ingest', { ...common, HTTP_PORT: String(ingestPort) });
  }

  private async service(name: ServiceName, env: NodeJS.ProcessEnv): Promise<void> {
    const healthPort = String(await chooseFreePort());
    this.healthUrls.set(name, `http://127.0.0.1:${healthPort}`);
    const service = await startService({
      name,
      entry: entryOf(this.root, name),
      flags: NODE_FLAGS[name],
      env: { ...env, HEALTH_PORT: healthPort },
      // One for each process: what is found there under the service's name is ended as a leftover.
      recordFolder: mkdtempSync(join(this.folder.path, 'process-')),
      print: (line) => console.log(line),
    });
    this.services.push(service);
  }
}

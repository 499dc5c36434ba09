import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chooseFreePort, entryOf, MALLOC_ENVIRONMENT, NODE_FLAGS, type ServiceName } from '@form-webhooks/local';
import { inject, vi } from 'vitest';
import { brokerUrl } from './broker-url.js';
import { emptyBroker } from './broker.js';
import { databaseWithDays } from './config/config-database.js';

const ROOT = join(import.meta.dirname, '../..');
const WAIT = { timeout: 30_000, interval: 25 };
/** A service that ended fails at once; one that starts beside others on a busy machine takes its time. */
const READY_WAIT = { timeout: 180_000, interval: 50 };
/** At the end of a spec nobody minds how long a service takes, beside others that stop and specs that go on. */
const CLEAN_UP_WAIT = { timeout: 120_000, interval: 50 };
const LAST_LINES = 40;

export type { ServiceName };

/** One service as a process of its own: what `npm start` runs, with ports of its own. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private readonly lines: string[] = [];
  exitCode: number | null | undefined;

  constructor(
    readonly name: ServiceName,
    readonly env: Readonly<Record<string, string>>,
    readonly healthPort: number,
    /** How much of the latest output is kept. */
    private readonly keptLines = LAST_LINES,
  ) {}

  get pid(): number | undefined {
    return this.exitCode === undefined ? this.child?.pid : undefined;
  }

  /** Where it tells how it is. */
  get healthUrl(): string {
    return `http://127.0.0.1:${this.healthPort}`;
  }

  get output(): string {
    return this.lines.join('\n');
  }

  async start(): Promise<void> {
    const entry = entryOf(ROOT, this.name);
    if (!existsSync(entry)) throw new Error(`${entry} is missing: run \`npm run build\` before these tests`);
    this.exitCode = undefined;
    this.child = spawn(process.execPath, [...NODE_FLAGS[this.name], entry], {
      env: { PATH: process.env['PATH'], NODE_ENV: 'test', ...MALLOC_ENVIRONMENT, ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout!.on('data', (chunk: Buffer) => this.keep(chunk));
    this.child.stderr!.on('data', (chunk: Buffer) => this.keep(chunk));
    this.child.once('exit', (code) => (this.exitCode = code));
    await vi.waitFor(() => this.expectReady(), READY_WAIT);
  }

  /** Asks it to stop and waits until it has. @returns its exit code */
  async stop(signal: NodeJS.Signals = 'SIGTERM', wait = WAIT): Promise<number | null> {
    if (this.exitCode === undefined) this.child?.kill(signal);
    await vi.waitFor(() => {
      if (this.exitCode === undefined) throw new Error(`${this.name} still runs`);
    }, wait);
    return this.exitCode ?? null;
  }

  private async expectReady(): Promise<void> {
    if (this.exitCode !== undefined) throw new Error(`${this.name} ended with ${this.exitCode}:\n${this.output}`);
    const response = await fetch(`${this.healthUrl}/health/ready`);
    if (response.status !== 200) throw new Error(`${this.name} is not ready: ${await response.text()}\n${this.output}`);
  }

  private keep(chunk: Buffer): void {
    this.lines.push(...chunk.toString('utf8').split('\n').filter(Boolean));
    this.lines.splice(0, Math.max(0, this.lines.length - this.keptLines));
  }
}

export interface StackOptions {
  /** Environment for every service, such as a short `RETRY_SCHEDULE`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another broker than the run's own, such as one that the test restarts. */
  readonly rabbitmqUrl?: string;
  /** How a service reaches it, if not as everybody does: as a user of its own. */
  readonly rabbitmqUrlOf?: (service: ServiceName) => string;
  readonly databaseUrl?: string;
  readonly dispatchers?: number;
  /** How many of the latest lines of each service `output` has. */
  readonly keptLines?: number;
}

/** What an endpoint looks like when it was just made. */
export interface CreatedEndpoint {
  readonly id: string;
  readonly secret: string;
  readonly version: number;
  readonly enabled: boolean;
}

/** The three services as processes, on a database and queues of their own. */
export class Stack {
  readonly workspaceId = 'ws_test';
  readonly adminKey = `admin-${randomBytes(24).toString('hex')}`;
  ingestUrl = '';
  configUrl = '';
  readonly processes: ServiceProcess[] = [];
  private keptLines: number | undefined;
  private cleanUps: (() => Promise<unknown>)[] = [];

  static async start(options: StackOptions = {}): Promise<Stack> {
    const stack = new Stack();
    try {
      await stack.launch(options);
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  service(name: ServiceName): ServiceProcess {
    const found = this.processes.find((process) => process.name === name);
    if (!found) throw new Error(`no ${name} runs`);
    return found;
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop('SIGTERM', CLEAN_UP_WAIT)));
    for (const cleanUp of this.cleanUps.reverse()) await cleanUp();
  }

  /** One more process of a service. */
  async add(name: ServiceName, env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const healthPort = await chooseFreePort();
    const all = { ...env, HEALTH_PORT: String(healthPort), HEALTH_HOST: '127.0.0.1' };
    const process = new ServiceProcess(name, all, healthPort, this.keptLines);
    this.processes.push(process);
    await process.start();
    return process;
  }

  /** A call of the REST API as the form service or its owner would make it. */
  async api(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    const response = await fetch(`${this.configUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.adminKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  }

  async registerForm(formId: string): Promise<void> {
    const { status, body } = await this.api('PUT', `/v1/forms/${formId}`, {
      workspace_id: this.workspaceId,
      name: formId,
    });
    if (status !== 200 && status !== 201) throw new Error(`PUT form: ${status} ${JSON.stringify(body)}`);
  }

  async createEndpoint(formId: string, url: string, extra: object = {}): Promise<CreatedEndpoint> {
    const { status, body } = await this.api('POST', `/v1/forms/${formId}/endpoints`, { url, ...extra });
    if (status !== 201) throw new Error(`POST endpoint: ${status} ${JSON.stringify(body)}`);
    return body as CreatedEndpoint;
  }

  /** Posts the raw text of an event. */
  async post(text: string | Buffer, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    const response = await fetch(`${this.ingestUrl}/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.adminKey}`, 'content-type': 'application/json', ...headers },
      body: typeof text === 'string' ? text : new Uint8Array(text),
    });
    const answer = await response.text();
    return { status: response.status, headers: response.headers, body: answer === '' ? null : JSON.parse(answer) };
  }

  private async launch(options: StackOptions): Promise<void> {
    this.keptLines = options.keptLines;
    const database = options.databaseUrl === undefined ? await databaseWithDays() : undefined;
    if (database) this.cleanUps.push(database.drop);
    const rabbitmqUrl = options.rabbitmqUrl ?? brokerUrl();
    await emptyBroker(rabbitmqUrl);
    const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
    const [configPort, ingestPort] = [await chooseFreePort(), await chooseFreePort()];
    this.configUrl = `http://127.0.0.1:${configPort}`;
    this.ingestUrl = `http://127.0.0.1:${ingestPort}`;
    const urlOf = options.rabbitmqUrlOf ?? (() => rabbitmqUrl);
    const common = { HTTP_HOST: '127.0.0.1', LOG_LEVEL: 'info', ...options.env };
    const config = {
      ...{ RABBITMQ_URL: urlOf('config'), ...common, HTTP_PORT: String(configPort) },
      ...{ DATABASE_URL: options.databaseUrl ?? database!.url, SECRET_KEYS: secretKeys, ADMIN_API_KEY: this.adminKey },
    };
    const dispatcher = {
      ...{ EGRESS_ALLOW: '127.0.0.0/8,::1/128', EGRESS_ALLOW_HOSTS: 'localhost', EGRESS_CA_FILE: inject('caFile') },
      ...{ SECRET_KEYS: secretKeys, RABBITMQ_URL: urlOf('dispatcher'), ...common },
    };
    const ingest = { RABBITMQ_URL: urlOf('ingest'), ...common, HTTP_PORT: String(ingestPort) };
    // At once: each waits for what it needs of the others. All are awaited, so that none is left when one can't start.
    const started = await Promise.allSettled([
      this.add('config', config),
      ...Array.from({ length: options.dispatchers ?? 1 }, () => this.add('dispatcher', dispatcher)),
      this.add('ingest', ingest),
    ]);
    for (const result of started) if (result.status === 'rejected') throw result.reason;
  }
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test says by its expectations what it is
  readonly body: any;
}

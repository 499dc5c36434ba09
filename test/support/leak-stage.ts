import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { connect, type ChannelModel } from 'amqplib';
import { SignJWT, type JWTPayload } from 'jose';
import pg from 'pg';
import { vi } from 'vitest';
import { brokerUrl } from './broker-url.js';
import { Canaries } from './canaries.js';
import { databaseWithDays } from './config/config-database.js';
import { CuttableProxy } from './network/cuttable-proxy.js';
import { Receiver } from './receiver.js';
import { Stack, type ApiAnswer } from './stack.js';

const ROOT = join(import.meta.dirname, '../..');
const WAIT = { timeout: 60_000, interval: 50 };
const ALL_LINES = 1_000_000;
const ISSUER = 'https://id.example';
const AUDIENCE = 'config';

/** The services as processes that tell all they can, and everything that comes out of them on any way. */
export class LeakStage {
  /** What config and ingest answered with a problem. */
  readonly problems: string[] = [];
  /** What commands and services that could not start printed. */
  readonly printed: string[] = [];

  private constructor(
    readonly canaries: Canaries,
    readonly stack: Stack,
    readonly receiver: Receiver,
    readonly broker: CuttableProxy,
    readonly database: CuttableProxy,
    readonly client: pg.Client,
    readonly amqp: ChannelModel,
    private readonly jwtSecret: string,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open(): Promise<LeakStage> {
    const canaries = new Canaries();
    const { url, drop } = await databaseWithDays();
    const [database, broker] = [new CuttableProxy(new URL(url), true), new CuttableProxy(new URL(brokerUrl()), true)];
    for (const [name, { password }] of Object.entries({ database: new URL(url), broker: new URL(brokerUrl()) })) {
      canaries.add('credential', `${name} password`, password);
    }
    const jwtSecret = canaries.make('credential', 'JWT secret') + 'of-32-bytes-or-more';
    const stack = await Stack.start({
      keptLines: ALL_LINES,
      databaseUrl: await database.open(),
      rabbitmqUrl: await broker.open(),
      env: {
        LOG_LEVEL: 'trace',
        RETRY_SCHEDULE: '100ms,200ms',
        ATTEMPT_TIMEOUT: '2s',
        FAILED_AUTH_PER_MINUTE: '10000',
        FAILED_AUTHENTICATIONS_PER_MINUTE: '10000',
        JWT_SHARED_SECRET: jwtSecret,
        JWT_ISSUER: ISSUER,
        JWT_AUDIENCE: AUDIENCE,
      },
    });
    canaries.add('credential', 'admin key', stack.adminKey);
    canaries.add('credential', 'sealing key', stack.service('config').env['SECRET_KEYS']!.slice('k1:'.length));
    const client = new pg.Client(url);
    await client.connect();
    const amqp = await connect(brokerUrl());
    const receiver = await Receiver.start();
    return new LeakStage(canaries, stack, receiver, broker, database, client, amqp, jwtSecret, drop);
  }

  async close(): Promise<void> {
    await this.stack.stop();
    await this.receiver.stop();
    await this.client.end();
    await this.amqp.close();
    await this.broker.cut();
    await this.database.cut();
    await this.drop();
  }

  /** A call of config's API; what it answers with a problem is kept. */
  async api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer> {
    return this.noted(await this.stack.api(method, path, body, headers));
  }

  async post(text: string | Buffer, headers?: Record<string, string>): Promise<ApiAnswer> {
    return this.noted(await this.stack.post(text, headers));
  }

  /** A token of the identity provider, its claims and key as told. */
  token(claims: JWTPayload = {}, key = this.jwtSecret): Promise<string> {
    return new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'ada', workspace_id: this.stack.workspaceId, ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(claims.exp ?? '5m')
      .sign(new TextEncoder().encode(key));
  }

  /** Waits until as many of the form's deliveries match. */
  async deliveries(formId: string, query: string, count: number): Promise<{ delivery_id: string }[]> {
    return vi.waitFor(async () => {
      const { body } = await this.stack.api('GET', `/v1/forms/${formId}/deliveries?${query}`);
      if (body.items.length < count) throw new Error(`${body.items.length} of ${count} have ${query}`);
      return body.items;
    }, WAIT);
  }

  /** Cuts a service off from what it needs, does something meanwhile, and waits until all is well again. */
  async without(proxy: CuttableProxy, meanwhile: () => Promise<void>): Promise<void> {
    await proxy.cut();
    await vi.waitFor(() => this.expectReady(503, 'config'), WAIT);
    await meanwhile();
    await proxy.mend();
    await vi.waitFor(() => this.expectReady(200, 'config', 'dispatcher', 'ingest'), WAIT);
  }

  /** Runs a command of a service to its end, its environment changed as told; keeps what it prints. */
  async run(entry: string, env: Readonly<Record<string, string>>, ...args: string[]): Promise<number> {
    const all = { PATH: process.env['PATH'], ...this.stack.service('config').env, ...env };
    return new Promise((resolve) =>
      execFile(process.execPath, [join(ROOT, 'apps', entry), ...args], { env: all }, (error, out, err) => {
        this.printed.push(out, err);
        resolve(error ? Number(error.code) : 0);
      }),
    );
  }

  /** Runs a service that can't get ready until it says so in its output, then ends it. */
  async runUntil(entry: string, env: Readonly<Record<string, string>>, said: RegExp): Promise<void> {
    const all = { PATH: process.env['PATH'], ...this.stack.service('config').env, HEALTH_PORT: '0', ...env };
    const child = spawn(process.execPath, [join(ROOT, 'apps', entry)], { env: all });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    try {
      await vi.waitFor(() => {
        if (!said.test(output)) throw new Error(`${entry} has not said ${said} yet: ${output.slice(-500)}`);
      }, WAIT);
    } finally {
      child.kill('SIGTERM');
      await ended;
      this.printed.push(output);
    }
  }

  async metrics(): Promise<string> {
    const texts = this.stack.processes.map(async ({ healthUrl }) => (await fetch(`${healthUrl}/metrics`)).text());
    return (await Promise.all(texts)).join('\n');
  }

  /** Every row of the tables whose names match, as JSON. */
  async rows(tables: RegExp): Promise<string> {
    const { rows } = await this.client.query<{ name: string }>(
      "SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'",
    );
    let text = '';
    for (const { name } of rows.filter((table) => tables.test(table.name))) {
      text += JSON.stringify((await this.client.query(`SELECT to_jsonb(t) FROM ${name} t`)).rows);
    }
    return text;
  }

  /** A text that is none of ours and yet reads like a password. */
  stranger(name: string): string {
    return this.canaries.add('credential', name, `wrong${randomBytes(16).toString('hex')}`);
  }

  private noted(answer: ApiAnswer): ApiAnswer {
    if (answer.status >= 400) this.problems.push(JSON.stringify([...answer.headers, answer.body]));
    return answer;
  }

  private async expectReady(status: number, ...names: readonly ('config' | 'dispatcher' | 'ingest')[]): Promise<void> {
    for (const name of names) {
      const response = await fetch(`http://127.0.0.1:${this.stack.service(name).healthPort}/health/ready`);
      if (response.status !== status) throw new Error(`${name}: ${response.status} ${await response.text()}`);
    }
  }
}

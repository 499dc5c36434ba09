import { brokerUrl } from '../broker-url.js';
import { randomBytes } from 'node:crypto';
import { Broker, BrokerServer, EXCHANGES, QUEUES, rpcPattern } from '@form-webhooks/broker';
import { inTime } from '@form-webhooks/domain';
import type { Scope } from '@form-webhooks/http-api';
import {
  decodeConfigChange,
  type CheckUrlReply,
  type CheckUrlRequest,
  type ConfigChange,
} from '@form-webhooks/messages';
import { loadSettings } from '@form-webhooks/settings';
import { createLogger } from '@form-webhooks/telemetry';
import { ConfigSettings, startConfig, type RunningConfig } from '../../../apps/config/src/index.js';
import { testLogger } from '../broker.js';
import { databaseWithDays } from './config-database.js';

export const ADMIN_KEY = 'the-admin-key-of-the-tests-0123456789';
export const SECRET_KEYS = `k1:${randomBytes(32).toString('base64')}`;

const READY_WITHIN_MS = 60_000;

/** What the API answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test says by its expectations what it is
  readonly body: any;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The dispatchers' answer to a URL check: real messages over the real broker, words of the test's choice. */
export type AnswerUrlCheck = (request: CheckUrlRequest) => Promise<CheckUrlReply>;

const RESPONDS: AnswerUrlCheck = () => Promise.resolve({ ok: true, status: 204 });

/** A config service in this process on a real database and broker, and what the other services would hear of it. */
export class ConfigStage {
  readonly notices: ConfigChange[] = [];
  readonly checkedUrls: string[] = [];
  answerUrlCheck: AnswerUrlCheck = RESPONDS;

  private constructor(
    readonly service: StartableConfig,
    readonly url: string,
    readonly databaseUrl: string,
    readonly broker: Broker,
    private readonly dispatcher: BrokerServer,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open(env: Readonly<Record<string, string>> = {}): Promise<ConfigStage> {
    const database = await databaseWithDays();
    const broker = new Broker({ url: brokerUrl(), name: 'config test', logger: testLogger });
    const dispatcher = new BrokerServer(broker);
    const service = startableService(database.url, env);
    const stage = new ConfigStage(service, await startedAt(service), database.url, broker, dispatcher, database.drop);
    await stage.listen();
    return stage;
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.dispatcher.close();
    await this.broker.close();
    await this.drop();
  }

  /** No dispatcher answers any more. */
  async silenceDispatchers(): Promise<void> {
    await this.dispatcher.close();
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { key = ADMIN_KEY, body, headers = {} } = options;
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  }

  /** A registered form of the workspace. */
  async form(workspaceId: string, id = `f_${randomBytes(6).toString('hex')}`): Promise<string> {
    await this.call('PUT', `/v1/forms/${id}`, { body: { workspace_id: workspaceId, name: 'A form' } });
    return id;
  }

  /** A workspace key with these scopes. */
  async key(workspaceId: string, scopes: readonly Scope[]): Promise<string> {
    const made = await this.call('POST', '/v1/api-keys', { body: { name: 'test', workspace_id: workspaceId, scopes } });
    return (made.body as { key: string }).key;
  }

  private async listen(): Promise<void> {
    this.dispatcher.addHandler(
      rpcPattern(QUEUES.dispatcherRpc, 'check_url'),
      async (request: CheckUrlRequest) => {
        this.checkedUrls.push(request.url);
        return this.answerUrlCheck(request);
      },
      false,
    );
    this.dispatcher.listen(() => undefined);
    this.broker.subscribe(
      EXCHANGES.configChanges,
      (body) => this.notices.push(decodeConfigChange(body)),
      () => undefined,
    );
    await this.broker.start();
    if (await inTime(this.broker.whenReady(), READY_WITHIN_MS)) return;
    throw new Error(`the broker was not ready within ${READY_WITHIN_MS} ms; TEST_LOG=info tells why`);
  }
}

/** A config service that a test starts when it likes, and stops however far it came. */
export class StartableConfig {
  private running: Promise<RunningConfig> | undefined;

  constructor(private readonly settings: ConfigSettings) {}

  start(): Promise<RunningConfig> {
    const logger = createLogger({ app: 'config', level: process.env['TEST_LOG'] ?? 'silent' });
    this.running ??= startConfig(this.settings, logger);
    return this.running;
  }

  async stop(): Promise<void> {
    const service = await this.running?.catch(() => undefined);
    await service?.stop();
  }
}

/** A config service that is not started yet, for a database of the test. */
export function startableService(databaseUrl: string, env: Readonly<Record<string, string>> = {}): StartableConfig {
  const settings = loadSettings(ConfigSettings, {
    DATABASE_URL: databaseUrl,
    RABBITMQ_URL: brokerUrl(),
    SECRET_KEYS,
    ADMIN_API_KEY: ADMIN_KEY,
    HTTP_PORT: '0',
    HEALTH_PORT: '0',
    REQUESTS_PER_MINUTE: '100000',
    WORKSPACE_REQUESTS_PER_MINUTE: '100000',
    URL_CHECKS_PER_MINUTE: '100000',
    URL_CHECKS_AT_A_TIME: '50',
    CALLS_IN_FLIGHT: '1000',
    FAILED_AUTHENTICATIONS_PER_MINUTE: '10000',
    ...env,
  });
  return new StartableConfig(settings);
}

/** Starts it. @returns the address of its API */
export const startedAt = async (service: StartableConfig): Promise<string> => (await service.start()).url;

import { QUEUES } from '@form-webhooks/broker';
import { generateApiKey, type GeneratedApiKey } from '@form-webhooks/domain';
import { encodeConfigChange, type ApiKeyReply, type ApiKeyRequest } from '@form-webhooks/messages';
import { loadSettings } from '@form-webhooks/settings';
import { createLogger } from '@form-webhooks/telemetry';
import { connect, type Channel, type ChannelModel, type GetMessage } from 'amqplib';
import { declareEverything } from './broker.js';
import { IngestSettings, startIngest, type RunningIngest } from '../../apps/ingest/src/index.js';

/** Answers `api_key` calls as config would, and counts them. */
export class FakeConfig {
  readonly asked: ApiKeyRequest[] = [];
  private readonly replies = new Map<string, ApiKeyReply>();
  private consumerTag: string | undefined;

  constructor(private readonly channel: Channel) {}

  /** A key that config knows. */
  addKey(reply: Partial<ApiKeyReply> = {}): GeneratedApiKey {
    const key = generateApiKey();
    this.replies.set(key.hash, { valid: true, scopes: ['events:write'], expires_at: null, ...reply });
    return key;
  }

  setReply(hash: string, reply: ApiKeyReply): void {
    this.replies.set(hash, reply);
  }

  revoke({ hash }: GeneratedApiKey): void {
    this.replies.delete(hash);
  }

  /** Tells everyone that a key changed. */
  announce({ id }: GeneratedApiKey): void {
    this.channel.publish('webhook.config-changes', '', encodeConfigChange({ kind: 'api_key', key_id: id }));
  }

  async start(): Promise<void> {
    await this.channel.purgeQueue(QUEUES.configRpc);
    const { consumerTag } = await this.channel.consume(QUEUES.configRpc, (message) => {
      if (!message) return;
      const request = JSON.parse(message.content.toString()) as ApiKeyRequest;
      this.asked.push(request);
      const reply = this.replies.get(request.key_hash) ?? { valid: false, scopes: [], expires_at: null };
      const { replyTo, correlationId } = message.properties as { replyTo: string; correlationId: string };
      this.channel.sendToQueue(replyTo, Buffer.from(JSON.stringify({ ok: true, reply })), { correlationId });
      this.channel.ack(message);
    });
    this.consumerTag = consumerTag;
  }

  /** Config is down: nobody answers. */
  async stop(): Promise<void> {
    if (this.consumerTag !== undefined) await this.channel.cancel(this.consumerTag);
    this.consumerTag = undefined;
  }
}

/** Ingest in this process, with a broker that is real and a config that is not. */
export class IngestStage {
  private constructor(
    readonly ingest: RunningIngest,
    readonly config: FakeConfig,
    readonly key: GeneratedApiKey,
    readonly channel: Channel,
    private readonly connection: ChannelModel,
  ) {}

  static async open(rabbitmqUrl: string, env: Record<string, string> = {}): Promise<IngestStage> {
    await declareEverything(rabbitmqUrl);
    const ingest = await startTestIngest(rabbitmqUrl, env);
    await ready(ingest);
    const connection = await connect(rabbitmqUrl);
    connection.on('error', () => undefined);
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    for (const queue of [QUEUES.events, QUEUES.formEvents, QUEUES.formEventsRejected]) await channel.purgeQueue(queue);
    const config = new FakeConfig(channel);
    await config.start();
    return new IngestStage(ingest, config, config.addKey(), channel, connection);
  }

  async close(): Promise<void> {
    await this.ingest.stop();
    // A broker that was restarted has closed it already.
    await this.connection.close().catch(() => undefined);
  }

  /** Posts bytes as the form service would. */
  post(body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.ingest.url}/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key.key}`, 'content-type': 'application/json', ...headers },
      body: new Uint8Array(Buffer.from(body as string)),
    });
  }

  /** Publishes to `form.events` as the form service would. */
  publish(body: string | Buffer, properties: Record<string, unknown> = {}, routingKey = 'submission.created'): void {
    this.channel.publish('form.events', routingKey, Buffer.from(body as string), {
      persistent: true,
      contentType: 'application/json',
      ...properties,
    });
  }

  /** The next message of a queue, waited for. */
  async take(queue: string, withinMs = 30_000): Promise<GetMessage> {
    const until = Date.now() + withinMs;
    while (Date.now() < until) {
      const message = await this.channel.get(queue, { noAck: true });
      if (message) return message;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`no message in ${queue} within ${withinMs} ms`);
  }

  async depth(queue: string): Promise<number> {
    return (await this.channel.checkQueue(queue)).messageCount;
  }

  metric(name: string): Promise<string[]> {
    return metricOf(this.ingest, name);
  }
}

/** The lines of one metric, as Prometheus reads them. */
export async function metricOf({ healthUrl }: RunningIngest, name: string): Promise<string[]> {
  const text = await (await fetch(`${healthUrl}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith(name));
}

export function startTestIngest(rabbitmqUrl: string, env: Record<string, string> = {}): Promise<RunningIngest> {
  const settings = loadSettings(IngestSettings, {
    RABBITMQ_URL: rabbitmqUrl,
    HTTP_PORT: '0',
    HEALTH_PORT: '0',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    STOP_TIMEOUT: '2s',
    // All by the normal lane, into which these specs look.
    FORM_BURST: '1000000',
    ...env,
  });
  return startIngest(settings, createLogger({ app: 'ingest', level: settings.logging.level }));
}

/** Resolves once the service says that it is ready. */
export async function ready({ healthUrl }: RunningIngest, withinMs = 60_000): Promise<void> {
  const until = Date.now() + withinMs;
  while (Date.now() < until) {
    const { status } = await fetch(`${healthUrl}/health/ready`);
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`ingest was not ready within ${withinMs} ms`);
}

/** A valid event's text; the given members are raw JSON texts, undefined leaves one out. */
export function anEvent(members: Record<string, string | undefined> = {}): string {
  const all: Record<string, string | undefined> = {
    event: '"submission.created"',
    form_id: '"f_1"',
    submission_id: '"s_1"',
    fields: '{}',
    ...members,
  };
  const given = Object.entries(all).filter(([, text]) => text !== undefined);
  return `{${given.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

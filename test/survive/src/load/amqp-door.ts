import { inTime } from '@form-webhooks/domain';
import { connect, type ChannelModel, type ConfirmChannel, type Message } from 'amqplib';
import { setTimeout as wait } from 'node:timers/promises';
import { bodyOf, type LoadEvent } from './load.js';
import { Door } from './publisher.js';

const EXCHANGE = 'form.events';
const PAUSE_MS = 200;
const CONFIRM_TIMEOUT_MS = 15_000;

/** The exchange `form.events`: persistent, mandatory, confirmed, and published again until it is. */
export class AmqpDoor extends Door {
  override readonly name = 'amqp';
  private connecting: Promise<ConfirmChannel> | undefined;
  private connection: ChannelModel | undefined;
  private readonly returned = new Set<string>();
  private readonly urls: readonly string[];
  private turn = 0;

  /** @param urls of the broker's nodes, separated by commas */
  constructor(urls: string) {
    super();
    this.urls = urls.split(',');
  }

  override async publish(event: LoadEvent, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      try {
        await this.confirmed(event);
        return;
      } catch {
        await wait(PAUSE_MS);
      }
    }
  }

  async close(): Promise<void> {
    await this.connection?.close().catch(() => undefined);
  }

  private async confirmed(event: LoadEvent): Promise<void> {
    const channel = await this.channel();
    const confirmed = new Promise<void>((resolve, reject) => {
      channel.publish(
        EXCHANGE,
        event.name,
        Buffer.from(bodyOf(event)),
        { persistent: true, mandatory: true, messageId: event.key, contentType: 'application/json' },
        (error) => {
          if (error) reject(error as Error);
          else if (this.returned.delete(event.key)) reject(new Error('no queue took it'));
          else resolve();
        },
      );
    });
    if (!(await inTime(confirmed, CONFIRM_TIMEOUT_MS))) throw new Error('not confirmed in time');
  }

  private channel(): Promise<ConfirmChannel> {
    this.connecting ??= this.open().catch((error: unknown) => {
      this.connecting = undefined;
      throw error;
    });
    return this.connecting;
  }

  private async open(): Promise<ConfirmChannel> {
    const url = new URL(this.urls[this.turn++ % this.urls.length]!);
    url.searchParams.set('heartbeat', '10');
    const connection = await connect(url.href, { timeout: 5_000 });
    const forget = (): void => {
      if (this.connection === connection) this.connection = this.connecting = undefined;
    };
    this.connection = connection;
    connection.on('error', () => undefined);
    connection.on('close', forget);
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    channel.on('close', forget);
    channel.on('return', (message: Message) => this.returned.add(String(message.properties.messageId)));
    return channel;
  }
}

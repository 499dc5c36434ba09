import { OnceAMinute } from '@form-webhooks/domain';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { BrokerLogger } from '../broker-logger.js';
import type { BrokerLink, Session } from '../connection/broker-link.js';
import type { RpcAnswer } from './rpc.js';

const PREFETCH = 100;

export type AnswerCall = (request: unknown) => Promise<unknown>;

/**
 * Serves the calls of one RPC queue. Requests are not acked one by one: a caller that gets no answer asks again, and
 * what is old has expired.
 */
export class RpcResponder {
  private readonly calls = new Map<string, AnswerCall>();
  private readonly inFlight = new Set<Promise<void>>();
  private consumer: { readonly channel: Channel; readonly tag: string } | undefined;
  private replies: Channel | undefined;
  private stopping = false;
  /** By method and error. While what it asks is away every call fails alike, hundreds a second. */
  private readonly failures = new OnceAMinute();

  constructor(
    readonly queue: string,
    publishing: BrokerLink,
    private readonly logger: BrokerLogger,
  ) {
    publishing.addStep(async (session) => {
      const channel = await session.openChannel();
      channel.on('close', () => {
        if (this.replies === channel) this.replies = undefined;
      });
      this.replies = channel;
    });
  }

  get healthy(): boolean {
    return this.consumer !== undefined;
  }

  serve(method: string, answer: AnswerCall): void {
    this.calls.set(method, answer);
  }

  /** Not after a stop: a connection that comes back while the service finishes its work gets no consumer any more. */
  async attach(session: Session): Promise<void> {
    if (this.stopping) return;
    const channel = await session.openChannel();
    await channel.prefetch(PREFETCH);
    channel.on('close', () => {
      if (this.consumer?.channel === channel) this.consumer = undefined;
    });
    const { consumerTag } = await channel.consume(this.queue, (message) => {
      if (message) this.take(channel, message);
      else session.drop(`the broker cancelled the consumer of ${this.queue}`);
    });
    this.consumer = { channel, tag: consumerTag };
    // One that came meanwhile found nothing to cancel.
    if (this.stopping) await this.cancel();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.cancel();
    await Promise.all(this.inFlight);
  }

  private async cancel(): Promise<void> {
    const consumer = this.consumer;
    this.consumer = undefined;
    if (consumer) await consumer.channel.cancel(consumer.tag).catch(() => undefined);
  }

  private take(channel: Channel, message: ConsumeMessage): void {
    const note = (error: unknown): void =>
      this.logger.debug({ queue: this.queue, err: error }, 'an RPC answer was not sent, or its request not settled');
    const work = this.answer(message)
      .catch(note)
      // Also what could not be answered: unsettled it would keep one of the places for as long as the channel lives.
      .then(() => channel.ack(message))
      .catch(note)
      .finally(() => this.inFlight.delete(work));
    this.inFlight.add(work);
  }

  private async answer(message: ConsumeMessage): Promise<void> {
    const { replyTo, correlationId, type } = message.properties as unknown as Record<string, unknown>;
    const answer = await this.answerTo(String(type), message.content);
    if (typeof replyTo !== 'string' || !this.replies) return;
    this.replies.sendToQueue(replyTo, Buffer.from(JSON.stringify(answer)), {
      correlationId: String(correlationId),
      contentType: 'application/json',
    });
  }

  private async answerTo(method: string, content: Buffer): Promise<RpcAnswer> {
    const call = this.calls.get(method);
    if (!call) return { ok: false, error: `${this.queue} serves no ${method.slice(0, 64)}` };
    try {
      return { ok: true, reply: await call(JSON.parse(content.toString('utf8'))) };
    } catch (error) {
      this.tell(method, error as Error & { code?: unknown });
      return { ok: false, error: `${method} failed` };
    }
  }

  private tell(method: string, error: Error & { code?: unknown }): void {
    const facts = { queue: this.queue, method, err: error };
    const failure = `${method} ${typeof error.code === 'string' ? error.code : error.name}`;
    this.logger[this.failures.isDue(failure) ? 'error' : 'debug'](facts, 'an RPC call failed');
  }
}

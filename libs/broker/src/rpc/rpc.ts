import type { Channel, ConsumeMessage, Message } from 'amqplib';
import type { ConfigCalls, DispatcherCalls } from '@form-webhooks/messages';
import type { BrokerLink, Session } from '../connection/broker-link.js';
import { UntakenDestinations } from '../publish/untaken-destinations.js';
import { toRpc, type Destination } from '../destinations.js';
import { QUEUES } from '../queue-names.js';

/** Which calls each RPC queue serves. */
export interface RpcQueues {
  [QUEUES.configRpc]: ConfigCalls;
  [QUEUES.dispatcherRpc]: DispatcherCalls;
}

type Queue = keyof RpcQueues;
type Method<Q extends Queue> = keyof RpcQueues[Q] & string;
type RequestOf<Q extends Queue, M extends Method<Q>> = RpcQueues[Q][M] extends { request: infer R } ? R : never;
type ReplyOf<Q extends Queue, M extends Method<Q>> = RpcQueues[Q][M] extends { reply: infer R } ? R : never;

/** The Nest message pattern under which a handler serves one call. */
export const rpcPattern = <Q extends Queue, M extends Method<Q>>(queue: Q, method: M): string => `${queue}/${method}`;

/** Nobody answered in time, or the broker is away: try again later. */
export class RpcUnavailable extends Error {
  override readonly name: string = 'RpcUnavailable';
}

/** Too many calls of this process wait already: it says nothing of the other side, which was not asked. */
export class RpcBusy extends RpcUnavailable {
  override readonly name = 'RpcBusy';
}

/** The other side answered that it failed. */
export class RpcFailed extends Error {
  override readonly name = 'RpcFailed';
}

export type RpcAnswer = { readonly ok: true; readonly reply: unknown } | { readonly ok: false; readonly error: string };

const REPLY_TO = 'amq.rabbitmq.reply-to';
const MAX_WAITING = 1_000;

interface Waiting {
  readonly to: Destination;
  readonly resolve: (reply: never) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Asks another service over the broker; each call has its own time limit. */
export class RpcClient {
  private channel: Channel | undefined;
  private readonly waiting = new Map<string, Waiting>();
  private sequence = 0;
  private readonly untaken: UntakenDestinations;

  constructor(private readonly link: BrokerLink) {
    this.untaken = new UntakenDestinations(link.isCluster);
    link.addStep((session) => this.attach(session));
  }

  /** False while calls come back because nobody takes them. */
  get routable(): boolean {
    return !this.untaken.any;
  }

  /** @throws RpcUnavailable, RpcFailed */
  call<Q extends Queue, M extends Method<Q>>(
    queue: Q,
    method: M,
    request: RequestOf<Q, M>,
    timeoutMs: number,
  ): Promise<ReplyOf<Q, M>> {
    const channel = this.channel;
    // A call is a publish too, and none is made while the connection is being set up: see `SafePublisher`.
    if (!channel || !this.link.ready) {
      return Promise.reject(new RpcUnavailable(`${queue} can't be asked: the broker is away`));
    }
    if (this.waiting.size >= MAX_WAITING) {
      return Promise.reject(new RpcBusy(`${queue} can't be asked: ${MAX_WAITING} calls wait already`));
    }
    const id = String(++this.sequence);
    const to = toRpc(queue);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.take(id)?.reject(new RpcUnavailable(`${queue} did not answer ${method} within ${timeoutMs} ms`));
      }, timeoutMs);
      this.waiting.set(id, { to, resolve, reject, timer });
      try {
        channel.publish(to.exchange, to.routingKey, Buffer.from(JSON.stringify(request)), {
          type: method,
          correlationId: id,
          replyTo: REPLY_TO,
          contentType: 'application/json',
          mandatory: true,
        });
      } catch (error) {
        this.take(id)?.reject(new RpcUnavailable((error as Error).message));
      }
    });
  }

  stop(): void {
    this.rejectAll();
  }

  private async attach(session: Session): Promise<void> {
    const channel = await session.openChannel();
    channel.on('close', () => {
      if (this.channel === channel) this.channel = undefined;
      this.rejectAll();
    });
    channel.on('return', ({ properties, fields }: Message) => {
      this.untaken.wasNotTaken(fields);
      this.take(String(properties.correlationId))?.reject(
        new RpcUnavailable(`${fields.routingKey} can't be asked: nothing takes the call to it`),
      );
    });
    await channel.consume(REPLY_TO, (message) => message && this.answered(message), { noAck: true });
    this.channel = channel;
  }

  private answered(message: ConsumeMessage): void {
    const waiting = this.take(String(message.properties.correlationId));
    if (!waiting) return;
    this.untaken.wasTaken(waiting.to);
    try {
      const answer = JSON.parse(message.content.toString('utf8')) as RpcAnswer;
      if (answer.ok) waiting.resolve(answer.reply as never);
      else waiting.reject(new RpcFailed(answer.error));
    } catch {
      waiting.reject(new RpcFailed('the answer is not JSON'));
    }
  }

  private take(id: string): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (waiting) clearTimeout(waiting.timer);
    return waiting;
  }

  private rejectAll(): void {
    for (const id of [...this.waiting.keys()]) this.take(id)?.reject(new RpcUnavailable('the broker went away'));
  }
}

import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { lastValueFrom, type Observable } from 'rxjs';
import { inTime } from '@form-webhooks/domain';
import type { Broker } from '../broker.js';
import { CrashReturns } from './crash-returns.js';
import { QueueConsumer, type HandleMessage, type MessageSettlement } from './queue-consumer.js';
import { RpcResponder } from '../rpc/rpc-responder.js';
import { WORK_QUEUES } from '../destinations.js';
import { standingTopology } from '../topology.js';
import type { Verdict } from './verdict.js';
import { WriteMarks } from './write-marks.js';

const DEFAULT_PREFETCH = 100;
const CRASH_RETURNS_PREFETCH = 10;
const DEFAULT_DRAIN_WITHIN_MS = 10_000;
const SINGLE_NODE_QUEUES = new Map(standingTopology().singleNodeQueues.map((queue) => [queue.name, queue]));

/** How the consumer of a queue stands. */
export interface ConsumerStanding {
  readonly queue: string;
  /** Messages in hand. */
  readonly handling: number;
  /** How messages ended since the start. */
  readonly settled: Readonly<Record<MessageSettlement, number>>;
}

export interface BrokerServerOptions {
  /** How many unacked messages of a queue are held at a time; the default is 100. */
  readonly prefetch?: Readonly<Record<string, number>>;
  /** How long `close` waits for what is being handled, ms; the default is 10 s. */
  readonly drainWithinMs?: number;
  /** How long a message whose handler threw is held before it is handed back, ms; the default is 1 s. */
  readonly handBackPauseMs?: number;
}

/**
 * Nest's way to our queues: `@EventPattern(queue)` handlers get an `IncomingMessage` and return a `Verdict`,
 * `@MessagePattern(rpcPattern(queue, method))` handlers get the request and return the reply. Bodies stay bytes, and
 * only the consumer settles a message; Nest's own RabbitMQ server does neither.
 */
export class BrokerServer extends Server implements CustomTransportStrategy {
  private readonly consumers = new Map<string, QueueConsumer>();
  private readonly responders = new Map<string, RpcResponder>();
  private closing: Promise<void> | undefined;

  constructor(
    private readonly broker: Broker,
    private readonly options: BrokerServerOptions = {},
  ) {
    super();
  }

  listen(callback: (error?: unknown) => void): void {
    for (const [pattern, handler] of this.messageHandlers) {
      if (handler.isEventHandler) this.addConsumer(pattern, handler);
      else this.addResponder(pattern, handler);
    }
    for (const consumer of this.consumers.values()) {
      const lone = SINGLE_NODE_QUEUES.get(consumer.queue);
      this.broker.consuming.addStep((session) =>
        lone ? consumer.attachOnceThere(session, lone) : consumer.attach(session),
      );
    }
    for (const responder of this.responders.values()) {
      this.broker.consuming.addStep((session) => responder.attach(session));
    }
    callback();
  }

  /** Whether this queue's consumer is attached (or paused on purpose). */
  isAttached(queue: string): boolean {
    return this.broker.consuming.ready && this.consumers.get(queue)?.healthy === true;
  }

  /**
   * True while every queue has its consumer. A queue that lives on one node doesn't count while that node is away: no
   * other replica could consume it either.
   */
  get healthy(): boolean {
    const consumers = [...this.consumers.values()].filter(({ queue }) => !SINGLE_NODE_QUEUES.has(queue));
    const all = [...consumers, ...this.responders.values()];
    return this.broker.consuming.ready && all.every((one) => one.healthy);
  }

  /** How each consumer stands. */
  get standings(): readonly ConsumerStanding[] {
    return [...this.consumers.values()];
  }

  /** Stops taking messages from a queue; what is being handled goes on. Harmless when repeated. */
  async pause(queue: string): Promise<void> {
    await this.consumers.get(queue)?.pause();
  }

  async resume(queue: string): Promise<void> {
    await this.consumers.get(queue)?.resume();
  }

  /**
   * Takes no new messages, finishes and settles those in flight. The broker's connections stay open. What can't be
   * finished in time, as in an outage, stays unsettled, so that the broker hands it over again. Harmless when repeated.
   */
  close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  private async drain(): Promise<void> {
    const all = [...this.consumers.values(), ...this.responders.values()];
    const drained = Promise.all(all.map((one) => one.stop()));
    const withinMs = this.options.drainWithinMs ?? DEFAULT_DRAIN_WITHIN_MS;
    if (await inTime(drained, withinMs)) return;
    const handling = [...this.consumers.values()].reduce((sum, consumer) => sum + consumer.handling, 0);
    this.broker.logger.warn({ handling, withinMs }, 'what is still being handled is left to the broker');
  }

  on(): never {
    throw new Error('BrokerServer has no events; ask `healthy`');
  }

  unwrap<T>(): T {
    return this.broker as T;
  }

  private addConsumer(queue: string, handler: MessageHandler): void {
    const verdictOf = (result: Observable<Verdict>): Promise<Verdict> =>
      lastValueFrom(this.transformToObservable(result));
    // Nothing is awaited here: hundreds of messages are in hand, and an async function holds much while it waits.
    const handle: HandleMessage = (message) => handler(message).then(verdictOf);
    this.consume(queue, this.options.prefetch?.[queue] ?? DEFAULT_PREFETCH, this.marked(queue, handle));
    if (!WORK_QUEUES.includes(queue)) return;
    const returns = new CrashReturns(queue, this.broker.publisher, this.broker.logger);
    this.consume(returns.source, CRASH_RETURNS_PREFETCH, (message) => returns.handle(message));
  }

  /** The queues on one node are the classic ones that others dead-letter into. */
  private marked(queue: string, handle: HandleMessage): HandleMessage {
    if (!SINGLE_NODE_QUEUES.has(queue)) return handle;
    const marks = new WriteMarks(queue, handle, this.broker.publisher, this.broker.logger);
    return (message) => marks.handleMarked(message);
  }

  private consume(queue: string, prefetch: number, handle: HandleMessage): void {
    const { publisher, logger } = this.broker;
    const { handBackPauseMs } = this.options;
    this.consumers.set(queue, new QueueConsumer({ queue, prefetch, handBackPauseMs }, handle, publisher, logger));
  }

  private addResponder(pattern: string, handler: MessageHandler): void {
    const [queue, method] = pattern.split('/') as [string, string];
    const responder = this.responders.get(queue) ?? new RpcResponder(queue, this.broker.publishing, this.broker.logger);
    this.responders.set(queue, responder);
    responder.serve(method, async (request) => lastValueFrom(this.transformToObservable(await handler(request))));
  }
}

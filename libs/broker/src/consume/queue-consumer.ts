import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { inTime } from '@form-webhooks/domain';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { BrokerLogger } from '../broker-logger.js';
import type { Session } from '../connection/broker-link.js';
import type { SafePublisher } from '../publish/safe-publisher.js';
import { messageProperties, parkedHeaders, UNPARKED } from '../publish/forwarding.js';
import { refusedQueueOf, toOwnQueue } from '../destinations.js';
import { declareQueue, type QueueSpec } from '../topology.js';
import { GatheredAcks } from './gathered-acks.js';
import { originOf } from './origin.js';
import { ServiceStops, type IncomingMessage, type Verdict } from './verdict.js';

/** How long a message whose handler threw is held before it is handed back: fifty of them take close to a minute. */
const HAND_BACK_PAUSE_MS = 1_000;
const PARK_RETRY_MS = 1_000;
const ATTACH_AGAIN_MS = 2_000;
/** Of a queue whose node is away 3.10 says so at once, 4.3 after a minute: nothing else waits for that [trap 23]. */
const ATTACH_WITHIN_MS = 5_000;
const MAX_REASON_LENGTH = 512;

/**
 * What a consumer did with messages: handled, parked, handed back because the handler failed or, which is no failure,
 * because the service stopped before it began, or left to the broker, which has handed it to somebody anew.
 */
export type MessageSettlement = 'done' | 'parked' | 'handed_back' | 'not_begun' | 'left';

export type HandleMessage = (message: IncomingMessage) => Promise<Verdict>;

/** What a consumer takes its messages from, and how many it has in hand. */
export interface ConsumedQueue {
  readonly queue: string;
  readonly prefetch: number;
  /** How long a message whose handler threw is held before it is handed back; a second by default. */
  readonly handBackPauseMs?: number | undefined;
  /** How long a queue that is away is left alone before its consumer is attached again; two seconds by default. */
  readonly attachAgainMs?: number | undefined;
  /** How long the broker may take to attach the consumer of a queue that may be away; five seconds by default. */
  readonly attachWithinMs?: number | undefined;
}

/** One queue's consumer, on a channel of its own. It settles each message exactly once, on the channel it came by. */
export class QueueConsumer {
  private attachment: Attachment | undefined;
  private paused = false;
  private readonly stopping = new AbortController();
  private readonly inFlight = new Set<Promise<void>>();
  /** How many messages ended so since the start. */
  readonly settled: Record<MessageSettlement, number> = { done: 0, parked: 0, handed_back: 0, not_begun: 0, left: 0 };

  constructor(
    private readonly source: ConsumedQueue,
    private readonly handle: HandleMessage,
    private readonly publisher: SafePublisher,
    private readonly logger: BrokerLogger,
  ) {
    // As many listen as messages pause before they are handed back, which the prefetch bounds.
    setMaxListeners(0, this.stopping.signal);
  }

  get queue(): string {
    return this.source.queue;
  }

  /** True while a consumer is attached, or deliberately paused. */
  get healthy(): boolean {
    return this.attachment?.open === true && (this.paused || this.attachment.consumerTag !== undefined);
  }

  get handling(): number {
    return this.inFlight.size;
  }

  async attach(session: Session): Promise<void> {
    await this.attachTo(new Attachment(session, await session.openChannel(), (error) => session.drop(error.message)));
  }

  /**
   * For a queue that lives on one node: while that is away the session goes on without it, and attaching is tried
   * again. Never rejects, and ends after `attachWithinMs` at the latest.
   */
  async attachOnceThere(session: Session, declaration: QueueSpec): Promise<void> {
    if (!session.open || this.stopping.signal.aborted) return;
    const again = (error: Error): void => {
      if (this.stopping.signal.aborted) return;
      this.logger.warn({ queue: this.queue, err: error }, 'a queue is away; its consumer will be attached again');
      setTimeout(
        () => void this.attachOnceThere(session, declaration),
        this.source.attachAgainMs ?? ATTACH_AGAIN_MS,
      ).unref();
    };
    const { attachWithinMs = ATTACH_WITHIN_MS } = this.source;
    let attachment: Attachment | undefined;
    try {
      const fresh = (attachment = new Attachment(session, await session.openExpendableChannel(), again));
      const attached = declareQueue(fresh.channel, declaration).then(() => this.attachTo(fresh));
      if (!(await inTime(attached, attachWithinMs))) throw new Error('the broker owes its answer');
    } catch (error) {
      // Once, though the channel that a refusal closes tells of it, too: or each failure would double the tries.
      if (attachment) attachment.fail(error);
      else again(error as Error);
    }
  }

  private async attachTo(attachment: Attachment): Promise<void> {
    await attachment.channel.prefetch(this.source.prefetch);
    // Given up meanwhile, for another one.
    if (!attachment.open) return;
    this.attachment = attachment;
    await this.switch(attachment);
  }

  /** Takes no further messages; what is being handled goes on. */
  async pause(): Promise<void> {
    this.paused = true;
    await this.switchIfAttached();
  }

  async resume(): Promise<void> {
    if (!this.paused || this.stopping.signal.aborted) return;
    this.paused = false;
    await this.switchIfAttached();
  }

  /** Cancels the consumer and waits for what is being handled; what was not taken up goes back to the queue. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.pause();
    await Promise.all(this.inFlight);
    this.attachment?.acks.send();
  }

  private async switchIfAttached(): Promise<void> {
    const attachment = this.attachment;
    await (attachment && this.switch(attachment).catch((error: unknown) => attachment.fail(error)));
  }

  /**
   * Attaches or cancels the consumer, whichever is wanted when its turn comes; changes run one after another. A consume
   * can take long. Without the order, a pause and a resume meanwhile would start a second consumer that nothing ever
   * cancels.
   */
  private switch(attachment: Attachment): Promise<void> {
    attachment.switching = attachment.switching.catch(() => undefined).then(() => this.bringAsWanted(attachment));
    return attachment.switching;
  }

  private async bringAsWanted(attachment: Attachment): Promise<void> {
    if (!attachment.open) return;
    const { channel, consumerTag } = attachment;
    if (!this.paused && consumerTag === undefined) {
      attachment.consumerTag = await this.consume(attachment);
    } else if (this.paused && consumerTag !== undefined) {
      attachment.consumerTag = undefined;
      await channel.cancel(consumerTag);
    }
  }

  private async consume(attachment: Attachment): Promise<string> {
    const { consumerTag } = await attachment.channel.consume(this.queue, (raw) => {
      if (raw) this.take(attachment, raw);
      else attachment.cancel(new Error(`the broker cancelled the consumer of ${this.queue}`));
    });
    return consumerTag;
  }

  private take(attachment: Attachment, raw: ConsumeMessage): void {
    attachment.acks.take(raw);
    const end = (): void => void this.inFlight.delete(work);
    const work = this.process(attachment, raw).then(end, (error: unknown) => {
      this.logger.error({ queue: this.queue, err: error }, 'settling a message failed');
      end();
    });
    this.inFlight.add(work);
  }

  private async process(attachment: Attachment, raw: ConsumeMessage): Promise<void> {
    const message = incoming(this.queue, raw, () => attachment.owns);
    let verdict: Verdict;
    try {
      verdict = await this.handle(message);
    } catch (error) {
      this.tellUnhandled(error);
      const { handBackPauseMs = HAND_BACK_PAUSE_MS } = this.source;
      await delay(handBackPauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      // Since 4.3 a quorum queue doesn't count a nack, and the message would come back for ever; every version counts this.
      const as = error instanceof ServiceStops ? 'not_begun' : 'handed_back';
      return this.settle(attachment, as, (acks) => acks.reject(raw));
    }
    if (verdict.kind === 'park') {
      const { reason, body = message.body } = verdict;
      if (!(await this.park(attachment, { ...message, body }, reason))) return;
    }
    this.settle(attachment, verdict.kind === 'park' ? 'parked' : 'done', (acks) => acks.ack(raw));
  }

  /** At a stop in an outage thousands are handed back that had not begun: that is counted, and no failure. */
  private tellUnhandled(error: unknown): void {
    const facts = { queue: this.queue, err: error };
    if (error instanceof ServiceStops) this.logger.debug(facts, 'a message is handed back at the stop');
    else this.logger.error(facts, 'a handler failed; its message is handed back');
  }

  private settle(attachment: Attachment, as: MessageSettlement, act: (acks: GatheredAcks) => void): void {
    this.settled[attachment.alive ? as : 'left'] += 1;
    act(attachment.acks);
  }

  /** True once the message is safe in the parked queue; false if it will come back by itself. */
  private async park(attachment: Attachment, message: IncomingMessage, reason: string): Promise<boolean> {
    const to = toOwnQueue(refusedQueueOf(this.queue));
    const headers = parkedHeaders(message, reason.slice(0, MAX_REASON_LENGTH));
    while (attachment.open) {
      try {
        await this.publisher.publish(to, { ...messageProperties(message), headers });
        this.logger.warn({ queue: this.queue, reason }, 'message parked');
        return true;
      } catch (error) {
        this.logger.warn({ queue: this.queue, err: error }, 'parking a message failed, will try again');
        if (this.stopping.signal.aborted) return false;
        await delay(PARK_RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
    return false;
  }
}

/** A consumer's channel for as long as it lives. */
class Attachment {
  open = true;
  private cancelled = false;
  readonly acks: GatheredAcks;
  consumerTag: string | undefined;
  /** Ends when the last change of the consumer that was asked for has been made. */
  switching: Promise<void> = Promise.resolve();

  constructor(
    private readonly session: Session,
    readonly channel: Channel,
    private readonly onFailure: (error: Error) => void,
  ) {
    this.acks = new GatheredAcks(channel, () => this.alive);
    let reason = new Error('its channel was closed');
    channel.on('error', (error: Error) => (reason = error));
    channel.on('close', () => {
      if (!this.open) return;
      this.open = false;
      this.onFailure(reason);
    });
  }

  /** Whether messages that came by it can still be settled. */
  get alive(): boolean {
    return this.open && this.session.open;
  }

  /** Whether nobody else has or gets them: also those of a queue that was deleted, which are in no queue any more. */
  get owns(): boolean {
    return this.alive || this.cancelled;
  }

  /** The broker does so when the queue is deleted. */
  cancel(error: Error): void {
    this.cancelled = true;
    this.fail(error);
  }

  fail(error: unknown): void {
    if (!this.open) return;
    this.acks.send();
    this.open = false;
    // Of its unacked messages the broker delivers again what is not gone with the queue.
    this.channel.close().catch(() => undefined);
    this.onFailure(error as Error);
  }
}

function incoming(queue: string, raw: ConsumeMessage, isOurs: () => boolean): IncomingMessage {
  const properties = raw.properties as unknown as Readonly<Record<string, unknown>>;
  const headers = raw.properties.headers ?? {};
  return {
    queue,
    headers,
    body: raw.content,
    redelivered: raw.fields.redelivered || headers[UNPARKED] !== undefined,
    isOurs,
    routingKey: raw.fields.routingKey,
    ...(typeof properties['messageId'] === 'string' ? { messageId: properties['messageId'] } : {}),
    ...(typeof properties['contentType'] === 'string' ? { contentType: properties['contentType'] } : {}),
    ...(typeof properties['contentEncoding'] === 'string' ? { contentEncoding: properties['contentEncoding'] } : {}),
    ...originOf(properties),
  };
}

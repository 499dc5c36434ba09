import type { Headers } from '@form-webhooks/messages';
import type { BrokerLogger } from '../broker-logger.js';
import type { BrokerLink } from '../connection/broker-link.js';
import type { OutgoingMessage } from '../publish/outgoing-message.js';
import type { SafePublisher } from '../publish/safe-publisher.js';
import { toQueue } from '../destinations.js';
import { sharedRetryQueue } from '../topology.js';
import type { QueueDeclares } from './queue-declares.js';
import { SharedQueues } from './shared-queues.js';

/** Where a message waits, and for how long. */
export interface RetryPlacement {
  readonly queue: string;
  readonly delayMs: number;
}

/** A message that falls due, or is published again as one that was lost while it waited. */
export interface Arrival {
  readonly headers: Headers;
  readonly wasLost: boolean;
}

export interface SharedDelaysOptions {
  /** Ascending. */
  readonly sharedRungsMs: readonly number[];
  /**
   * Tells a message from all others by its headers; what comes back has the same, and so has what is published again in
   * its place.
   */
  readonly idOf: (headers: Headers) => string;
}

/** Where the broker names the queue in which a message expired first. None of ours goes from one delay to another. */
const EXPIRED_IN = 'x-first-death-queue';

/** The delays that all endpoints share: two rows of queues, one of them for large bodies. */
export class SharedDelays {
  private readonly usual: SharedQueues;
  /** They are declared when they are needed: few installations have any. */
  private readonly large: SharedQueues;
  private readonly byName: ReadonlyMap<string, { readonly queues: SharedQueues; readonly rung: number }>;

  constructor(
    private readonly link: BrokerLink,
    private readonly publisher: SafePublisher,
    private readonly declares: QueueDeclares,
    private readonly options: SharedDelaysOptions,
    private readonly logger: BrokerLogger,
  ) {
    this.usual = this.queuesFor(false);
    this.large = this.queuesFor(true);
    this.byName = new Map(
      [false, true].flatMap((large) =>
        options.sharedRungsMs.map(
          (rung) => [sharedRetryQueue(rung, large).name, { queues: this.of(large), rung }] as const,
        ),
      ),
    );
  }

  beginSession(): void {
    this.usual.beginSession();
    this.large.beginSession();
    // Not waited for: dozens of declares would keep everything else from its start.
    void this.usual.declareAll();
  }

  /** Puts a message into the queue of the next longer delay that serves. @throws PublishFailed */
  async publish(
    delayMs: number,
    messageFor: (placement: RetryPlacement) => OutgoingMessage,
    large: boolean,
  ): Promise<RetryPlacement> {
    const queues = this.of(large);
    const rung = await queues.ready(delayMs);
    const placement = { queue: sharedRetryQueue(rung, large).name, delayMs: rung };
    const message = messageFor(placement);
    const publishedAt = performance.now();
    try {
      await this.publisher.publish(toQueue(placement.queue), message);
    } catch (error) {
      if (queues.noteFailure(rung, error)) this.giveUpSession(placement.queue);
      throw error;
    }
    queues.stranded.placed(rung, this.options.idOf(message.headers), publishedAt);
    return placement;
  }

  /** A message has come: a queue that keeps what has expired is left out until something comes out of it [trap 19]. */
  noteArrival({ headers, wasLost }: Arrival): void {
    const from = this.byName.get(String(headers[EXPIRED_IN]));
    if (from) from.queues.stranded.cameOut(from.rung, this.options.idOf(headers));
    if (!wasLost) return;
    for (const large of [false, true]) {
      const rung = this.of(large).stranded.lost(this.options.idOf(headers));
      if (rung === undefined) continue;
      const queue = sharedRetryQueue(rung, large).name;
      this.logger.error({ queue }, 'a shared retry queue keeps what has expired in it; a longer one serves');
    }
  }

  private of(large: boolean): SharedQueues {
    return large ? this.large : this.usual;
  }

  private queuesFor(large: boolean): SharedQueues {
    const text = 'the broker does not answer to the declare of a shared retry queue; a longer one serves';
    return new SharedQueues({
      rungsMs: this.options.sharedRungsMs,
      queueOf: (rung) => sharedRetryQueue(rung, large),
      declare: (queue) => this.declares.apart(queue),
      readSince: () => this.link.readSince,
      onUnanswered: (queue) => this.logger.error({ queue }, text),
    });
  }

  /** Only another connection gets past a queue without a leader: what was published after it waits behind it. */
  private giveUpSession(queue: string): void {
    this.logger.error({ queue }, 'a shared retry queue does not confirm; it is left out for ten minutes');
    this.declares.dropSession('a shared retry queue does not confirm');
  }
}

import { inTime } from '@form-webhooks/domain';
import type { BrokerLink } from '../connection/broker-link.js';
import type { BrokerLogger } from '../broker-logger.js';
import type { OutgoingMessage } from '../publish/outgoing-message.js';
import { PublishFailed } from '../publish/publish-failed.js';
import type { SafePublisher } from '../publish/safe-publisher.js';
import { toQueue } from '../destinations.js';
import { endpointRetryQueue, expiryOf, sharedRetryQueue, type QueueSpec } from '../topology.js';
import { QueueDeclares } from './queue-declares.js';
import { SharedDelays, type Arrival, type RetryPlacement, type SharedDelaysOptions } from './shared-delays.js';

export type { Arrival, RetryPlacement } from './shared-delays.js';

export interface RetryQueuesOptions extends SharedDelaysOptions {
  /** How much longer than twice its delay a queue outlives its last use, ms. */
  readonly marginMs: number;
  /** Leases at a time; beyond it new delays go through the shared queues. */
  readonly maxLeases: number;
  /** How long a declare may keep a message waiting, ms. */
  readonly declareWaitMs: number;
  /**
   * False while `dispatcher.due`, or that of large bodies, is away: what falls due in an endpoint's own queue would find
   * no queue and be lost. Then every delay goes through the shared queues.
   */
  readonly dueIsThere: (large: boolean) => boolean;
}

/**
 * Why a delay goes through a shared queue: the broker is a cluster, `dispatcher.due` is away, as many queues are leased
 * as may be, the declare was slow or refused, or the queue was gone twice.
 */
export type Fallback = 'cluster' | 'due_away' | 'too_many' | 'not_declared' | 'gone';

/** A declare renews a queue's expiry; it is repeated once a quarter of the expiry has gone by. */
const LEASE_SHARE = 4;
/** So much of the margin must be left of a queue's life beyond the delay of a message that it has just taken. */
const LEFT_SHARE = 4;

/**
 * Where delayed messages wait: in each endpoint's own queues, declared on demand and kept alive by a lease, or in the
 * shared queues when there are too many leases or a declare is slow. A queue always outlives the messages in it: it
 * expires at the earliest ¾ × (2 × delay + margin) after any publish.
 *
 * In a cluster only the shared queues are used. An endpoint's own queue and `dispatcher.due` are classic and can live
 * on two nodes: what falls due while the node of `dispatcher.due` is away would find no queue and be dropped (measured:
 * 300 of 300).
 */
export class RetryQueues {
  /** By the monotonic clock: after a step of the wall clock a lease would seem valid long after its queue expired. */
  private readonly leases = new Map<string, { readonly declaredAt: number; readonly expiresMs: number }>();
  private readonly declaring = new Map<string, Promise<boolean>>();
  private readonly shared: SharedDelays;
  private readonly declares: QueueDeclares;
  /** How often a shared queue served instead, by why. */
  readonly fallbacks: Record<Fallback, number> = { cluster: 0, due_away: 0, too_many: 0, not_declared: 0, gone: 0 };

  constructor(
    private readonly link: BrokerLink,
    private readonly publisher: SafePublisher,
    private readonly options: RetryQueuesOptions,
    logger: BrokerLogger,
  ) {
    this.declares = new QueueDeclares(logger);
    this.shared = new SharedDelays(link, publisher, this.declares, options, logger);
    link.addStep(async (session) => {
      this.declares.beginSession(session);
      // The broker may have lost its queues meanwhile: each is declared again before its next use.
      this.leases.clear();
      this.shared.beginSession();
    });
  }

  /** The number of queues that this process keeps alive. */
  get leaseCount(): number {
    return this.leases.size;
  }

  /**
   * Puts a message where it waits for `delayMs` and then falls due: in its endpoint's own queue, or in the next longer
   * shared one. `messageFor` is called with the queue that was chosen, because the message carries its due time.
   * @param large whether it is to fall due among the large bodies
   * @throws PublishFailed if neither would take it
   */
  async publish(
    endpointId: string,
    delayMs: number,
    messageFor: (placement: RetryPlacement) => OutgoingMessage,
    large = false,
  ): Promise<RetryPlacement> {
    const shared = (why: Fallback): Promise<RetryPlacement> => {
      this.fallbacks[why] += 1;
      return this.shared.publish(delayMs, messageFor, large);
    };
    // Nothing would be published, and no declare be read before the alarm ends.
    if (this.link.blocked) throw new PublishFailed('blocked', toQueue(sharedRetryQueue(delayMs, large).name));
    if (this.link.isCluster) return shared('cluster');
    if (!this.options.dueIsThere(large)) return shared('due_away');
    const queue = endpointRetryQueue(endpointId, delayMs, this.options.marginMs, large);
    for (let round = 0; round < 2; round++) {
      const leased = await this.lease(queue, delayMs);
      if (leased !== 'leased') return shared(leased);
      const placement = { queue: queue.name, delayMs };
      try {
        await this.publisher.publish(toQueue(queue.name), messageFor(placement));
        await this.outlive(queue, delayMs);
        return placement;
      } catch (error) {
        // The queue is gone or its node is away: the first time it is declared again, the second time the shared queue
        // is used.
        if (!(error instanceof PublishFailed && error.isRefusal)) throw error;
        this.leases.delete(queue.name);
      }
    }
    return shared('gone');
  }

  /** To be told of each delivery that comes as a message of its own: see `SharedDelays`. */
  noteArrival(arrival: Arrival): void {
    this.shared.noteArrival(arrival);
  }

  /**
   * An alarm can keep a publish waiting until its queue has not long to live, and no publish renews it: it would expire
   * with the message in it.
   */
  private async outlive(queue: QueueSpec, delayMs: number): Promise<void> {
    const lease = this.leases.get(queue.name);
    if (!lease) return;
    const leftMs = lease.declaredAt + lease.expiresMs - performance.now();
    if (leftMs >= delayMs + this.options.marginMs / LEFT_SHARE) return;
    await (this.declaring.get(queue.name) ??
      this.declare(queue, (declaredAt) => this.note(queue, delayMs, declaredAt)));
  }

  private note({ name }: QueueSpec, delayMs: number, declaredAt: number): void {
    this.leases.set(name, { declaredAt, expiresMs: expiryOf(delayMs, this.options.marginMs) });
  }

  /** `leased` if the queue surely exists for long enough; else why the shared one has to serve. */
  private async lease(queue: QueueSpec, delayMs: number): Promise<'leased' | 'too_many' | 'not_declared'> {
    const expiresMs = expiryOf(delayMs, this.options.marginMs);
    const lease = this.leases.get(queue.name);
    if (lease && performance.now() - lease.declaredAt < expiresMs / LEASE_SHARE) return 'leased';
    if (!lease && !this.hasRoom()) return 'too_many';
    const declared =
      this.declaring.get(queue.name) ?? this.declare(queue, (declaredAt) => this.note(queue, delayMs, declaredAt));
    const isDeclared = (await inTime(declared, this.options.declareWaitMs)) && (await declared);
    return isDeclared ? 'leased' : 'not_declared';
  }

  private hasRoom(): boolean {
    if (this.leases.size + this.declaring.size < this.options.maxLeases) return true;
    const now = performance.now();
    for (const [name, lease] of this.leases) {
      if (now - lease.declaredAt >= lease.expiresMs) this.leases.delete(name);
    }
    return this.leases.size + this.declaring.size < this.options.maxLeases;
  }

  private declare(queue: QueueSpec, note: (declaredAt: number) => void): Promise<boolean> {
    const declaring = this.declareNow(queue, note).finally(() => this.declaring.delete(queue.name));
    this.declaring.set(queue.name, declaring);
    return declaring;
  }

  private async declareNow(queue: QueueSpec, note: (declaredAt: number) => void): Promise<boolean> {
    // Taken before the declare: the broker counts the expiry from about this moment.
    const declaredAt = performance.now();
    // Else the shared queue is used, and the next retry tries again.
    const stands = await this.declares.inTurn(queue);
    if (stands) note(declaredAt);
    return stands;
  }
}

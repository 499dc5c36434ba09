import { inTime } from '@form-webhooks/domain';
import { BrokerLink } from './connection/broker-link.js';
import { BrokerVersionCheck } from './connection/broker-version-check.js';
import type { BrokerLogger } from './broker-logger.js';
import { NoticeSubscription } from './consume/notices.js';
import { RpcClient } from './rpc/rpc.js';
import { DEFAULT_PUBLISHER_LIMITS, type PublisherLimits } from './publish/publisher-limits.js';
import { SafePublisher } from './publish/safe-publisher.js';
import { declareOwn, ownQuorumQueues } from './declare-own.js';
import { noticeQueueMembers } from './queue-members-notice.js';
import { TopologyCheck } from './topology-check.js';
import type { Owner } from './queue-names.js';

/**
 * How long a stop waits for unconfirmed messages, ms: longer than a healthy broker needs, shorter than the time after
 * which platforms kill a process.
 */
const IDLE_WITHIN_MS = 12_000;

export interface BrokerOptions {
  /** `amqp://user:password@host:port/vhost` */
  readonly url: string;
  /** The service's name; the broker's own tools show it beside its connections. */
  readonly name: string;
  readonly logger: BrokerLogger;
  /** Whose exchanges and queues it declares; a tool that is none of the services: nobody's. Without it: everyone's. */
  readonly owner?: Owner | 'nobody';
  readonly publisherLimits?: Partial<PublisherLimits>;
  /** How often what it declares is declared again, in case somebody deleted it, ms; half a minute by default. */
  readonly checkTopologyEveryMs?: number;
}

export interface BrokerStatus {
  readonly publishing: boolean;
  readonly consuming: boolean;
  readonly blocked: boolean;
  /** Whether what messages need on their way is there, as far as it shows. */
  readonly topology: boolean;
  /** False while the broker is refused because it is too old. */
  readonly version: boolean;
}

/**
 * A service's way to the broker: one connection that publishes and one that consumes (during an alarm the broker
 * stops reading from a connection that publishes, acks included).
 */
export class Broker {
  readonly publishing: BrokerLink;
  readonly consuming: BrokerLink;
  readonly publisher: SafePublisher;
  readonly rpc: RpcClient;
  readonly logger: BrokerLogger;
  private readonly check: TopologyCheck;
  private readonly version: BrokerVersionCheck;

  constructor(options: BrokerOptions) {
    this.logger = options.logger;
    this.publishing = new BrokerLink(options.url, `${options.name} publishing`, options.logger);
    this.consuming = new BrokerLink(options.url, `${options.name} consuming`, options.logger);
    this.version = new BrokerVersionCheck(options.logger);
    for (const link of [this.publishing, this.consuming]) {
      link.addStep(async (session) => this.version.check(session));
    }
    const notice = noticeQueueMembers(ownQuorumQueues(options), this.publishing.nodeCount, options.logger);
    const declare = declareOwn(options);
    this.publishing.addStep(notice);
    this.consuming.addStep(notice);
    this.publishing.addStep(declare);
    this.consuming.addStep(declare);
    this.check = new TopologyCheck(this.consuming, options.logger, options.checkTopologyEveryMs);
    this.check.addStep(declare);
    const limits = { ...DEFAULT_PUBLISHER_LIMITS, ...options.publisherLimits };
    this.publisher = new SafePublisher(this.publishing, limits, () => this.check.hurry());
    this.rpc = new RpcClient(this.publishing);
  }

  /** Connects in the background and tries again until it succeeds; see `status` and `whenReady`. */
  async start(): Promise<void> {
    await Promise.all([this.publishing.start(), this.consuming.start()]);
    this.check.start();
  }

  /** Resolves once both connections stand for the first time. */
  async whenReady(): Promise<void> {
    await Promise.all([this.publishing.whenReady(), this.consuming.whenReady()]);
  }

  status(): BrokerStatus {
    return {
      publishing: this.publishing.ready,
      consuming: this.consuming.ready,
      blocked: this.publishing.blocked || this.consuming.blocked,
      topology: this.check.fine && this.publisher.routable && this.rpc.routable,
      version: this.version.fine,
    };
  }

  /** Hears every notice on a fanout exchange; see `NoticeSubscription`. */
  subscribe(exchange: string, onNotice: (body: Buffer) => void, onReset: () => void): void {
    const notices = new NoticeSubscription(this.consuming, exchange, { onNotice, onReset }, this.logger);
    this.check.addStep((session) => notices.bindAgain(session));
  }

  /** Ends both connections, the consuming one first. Each `BrokerServer` has finished its own messages before. */
  async close(): Promise<void> {
    this.check.stop();
    await this.consuming.close();
    // During an alarm unconfirmed messages can wait until the alarm ends. A stop can not.
    if (!(await inTime(this.publisher.idle(), IDLE_WITHIN_MS))) {
      this.logger.warn({}, 'publications were not confirmed before the stop');
    }
    this.publisher.stop();
    this.rpc.stop();
    await this.publishing.close();
  }
}

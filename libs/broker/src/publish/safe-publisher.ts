import type { ConfirmChannel, Message } from 'amqplib';
import type { BrokerLink, Session } from '../connection/broker-link.js';
import type { Destination } from '../destinations.js';
import { HeaderTable } from './header-table.js';
import type { OutgoingMessage } from './outgoing-message.js';
import { PublishFailed, type PublishFailure } from './publish-failed.js';
import { DEFAULT_PUBLISHER_LIMITS, type PublisherLimits } from './publisher-limits.js';
import { UntakenDestinations } from './untaken-destinations.js';

/** What the publisher has under way. */
export interface PublisherLoad {
  readonly unconfirmed: number;
  readonly unconfirmedBytes: number;
  /** Publishes that wait for their turn. */
  readonly waiting: number;
}

/** Told of each publish that was taken up. @param failure undefined if the broker confirmed it */
export type OnPublished = (ms: number, failure: PublishFailure | undefined) => void;

const SWEEP_MS = 250;
/** When a broker neither confirms nor ends the connection for so long, the message counts as lost, ms. */
const PATIENT_MS = 120_000;
/**
 * A sweep that comes this much later means that the whole process stood still. It then gets as long again to read the
 * confirms that came meanwhile, ms.
 */
const STALL_MS = 1_000;

interface Manner {
  readonly mandatory: boolean;
  /** Whether it waits for its confirm through alarms. */
  readonly patient: boolean;
  readonly confirmWithinMs: number;
}

interface Publication extends Manner {
  readonly to: Destination;
  readonly message: OutgoingMessage;
  readonly startedAt: number;
  readonly resolve: () => void;
  readonly reject: (failure: PublishFailed) => void;
  returned: boolean;
  /** When its turn came: only from then on the broker can confirm it. */
  sentAt?: number;
}

/**
 * The only way to publish: persistent, mandatory, confirmed, within a time. Without the mandatory flag a message to a
 * queue that is gone would be confirmed all the same; the broker sends the return before the confirm.
 */
export class SafePublisher {
  private channel: ConfirmChannel | undefined;
  private session: Session | undefined;
  private readonly unconfirmed = new Map<string, Publication>();
  private waiting: Publication[] = [];
  private unconfirmedBytes = 0;
  private sequence = 0;
  /** No patient publish times out before this. When an alarm ends the broker gets a full confirm time to catch up. */
  private alarmUntil = 0;
  /** No publish times out before this. */
  private stallUntil = 0;
  private sweptAt = performance.now();
  private readonly sweeper: NodeJS.Timeout;
  private readonly untaken: UntakenDestinations;
  private readonly headers = new HeaderTable();
  private onPublished: OnPublished = () => undefined;

  /** @param onUntaken told when a message was not taken where somebody should take it */
  constructor(
    private readonly link: BrokerLink,
    private readonly limits: PublisherLimits = DEFAULT_PUBLISHER_LIMITS,
    private readonly onUntaken: () => void = () => undefined,
  ) {
    this.untaken = new UntakenDestinations(link.isCluster);
    link.addStep((session) => this.attach(session));
    this.sweeper = setInterval(() => this.expire(), SWEEP_MS);
    this.sweeper.unref();
  }

  /** True while a publish can succeed. */
  get available(): boolean {
    return this.isConnected && !this.link.blocked;
  }

  /** False while messages come back from where they should be taken, or nobody confirms them there. */
  get routable(): boolean {
    return !this.untaken.any;
  }

  get load(): PublisherLoad {
    return {
      unconfirmed: this.unconfirmed.size,
      unconfirmedBytes: this.unconfirmedBytes,
      waiting: this.waiting.length,
    };
  }

  /** Tells `listener` what becomes of each publish from now on; there is one. */
  watch(listener: OnPublished): void {
    this.onPublished = listener;
  }

  /** Resolves once the broker has the message safe in a queue. @throws PublishFailed */
  publish(to: Destination, message: OutgoingMessage): Promise<void> {
    return this.start(to, message);
  }

  /**
   * Like `publish`, for callers that must know what became of a copy and do not wait for it (`KnownCopies`): it fails
   * only if the connection ends, if its turn does not come in time, so that there is no copy, or after minutes without
   * an alarm in which the broker neither confirms nor closes.
   */
  publishPatiently(to: Destination, message: OutgoingMessage): Promise<void> {
    return this.start(to, message, { patient: true, confirmWithinMs: PATIENT_MS });
  }

  /** Like `publish`, but finding nobody is fine: a notice to whoever listens. @throws PublishFailed */
  broadcast(exchange: string, body: Buffer): Promise<void> {
    const to = { exchange, routingKey: '' };
    const message = { headers: {}, body, contentType: 'application/json' };
    return this.start(to, message, { mandatory: false });
  }

  /** Ends the sweep; what is unconfirmed is rejected. The link is closed by its owner. */
  stop(): void {
    clearInterval(this.sweeper);
    this.rejectAll('disconnected');
  }

  /** Resolves when nothing is unconfirmed any more; each publication ends by its time-out at the latest. */
  async idle(): Promise<void> {
    while (this.unconfirmed.size + this.waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  private start(to: Destination, message: OutgoingMessage, manner: Partial<Manner> = {}): Promise<void> {
    if (!this.isConnected) return Promise.reject(new PublishFailed('disconnected', to));
    if (this.link.blocked) return Promise.reject(new PublishFailed('blocked', to));
    return new Promise((resolve, reject) => {
      const publication: Publication = {
        to,
        message,
        mandatory: true,
        patient: this.limits.waitsWhileBlocked,
        confirmWithinMs: this.limits.confirmTimeoutMs,
        ...manner,
        startedAt: performance.now(),
        resolve,
        reject,
        returned: false,
      };
      if (this.hasRoom(message) && this.waiting.length === 0) this.send(publication);
      else this.waiting.push(publication);
    });
  }

  /**
   * Not before everything on the connection is set up, nor once its session is given up: in an alarm the broker reads
   * nothing behind the first message, so the set-up would never be answered, and be begun anew for as long as the alarm
   * lasts, with a copy of each message each time [trap 11].
   */
  private get isConnected(): boolean {
    return this.channel !== undefined && this.link.ready;
  }

  private hasRoom(message: OutgoingMessage): boolean {
    if (this.unconfirmed.size === 0) return true;
    return (
      this.unconfirmed.size < this.limits.maxUnconfirmed &&
      this.unconfirmedBytes + message.body.length <= this.limits.maxUnconfirmedBytes
    );
  }

  private send(publication: Publication): void {
    const { to, message, mandatory } = publication;
    const id = String(++this.sequence);
    publication.sentAt = performance.now();
    this.unconfirmed.set(id, publication);
    this.unconfirmedBytes += message.body.length;
    this.session!.writes.expect(message.body.length);
    try {
      this.channel!.publish(
        to.exchange,
        to.routingKey,
        message.body,
        {
          persistent: true,
          mandatory,
          headers: this.headers.holding(message.headers),
          contentType: message.contentType ?? 'application/octet-stream',
          correlationId: id,
          messageId: message.messageId,
          contentEncoding: message.contentEncoding,
          appId: message.appId,
          timestamp: message.timestamp,
        },
        (error) => this.confirmed(id, error),
      );
    } catch {
      // The channel was closed meanwhile; its close event may come later.
      this.settle(id, 'disconnected');
    }
  }

  private confirmed(id: string, error: unknown): void {
    const publication = this.unconfirmed.get(id);
    if (!publication) return;
    if (error) this.settle(id, (error as Error).message === 'message nacked' ? 'nacked' : 'disconnected');
    else this.settle(id, publication.returned ? 'unroutable' : undefined);
  }

  private settle(id: string, failure: PublishFailure | undefined): void {
    const publication = this.unconfirmed.get(id);
    if (!publication) return;
    this.unconfirmed.delete(id);
    this.unconfirmedBytes -= publication.message.body.length;
    if (this.isNotTaken(failure) && this.untaken.wasNotTaken(publication.to)) this.onUntaken();
    if (failure === undefined && publication.mandatory) this.untaken.wasTaken(publication.to);
    if (failure === 'nacked' && this.untaken.wasRefused(publication.to)) {
      this.session?.drop('a queue refuses all that is published: another channel may find its leader');
    }
    this.end(publication, failure);
    this.sendWaiting();
  }

  private end({ to, startedAt, resolve, reject }: Publication, failure: PublishFailure | undefined): void {
    this.onPublished(performance.now() - startedAt, failure);
    if (failure) reject(new PublishFailed(failure, to));
    else resolve();
  }

  /** Not in an alarm: the broker would read it only after that, when whoever sent it may have given it up. */
  private sendWaiting(): void {
    while (this.available && this.waiting[0] && this.hasRoom(this.waiting[0].message)) this.send(this.waiting.shift()!);
  }

  /** What an alarm holds up is no fault of a queue. */
  private isNotTaken(failure: PublishFailure | undefined): boolean {
    return failure === 'unroutable' || (failure === 'timeout' && !this.link.blocked);
  }

  private async attach(session: Session): Promise<void> {
    const channel = await session.openConfirmChannel();
    channel.on('return', (message: Message) => {
      const publication = this.unconfirmed.get(String(message.properties.correlationId));
      if (publication) publication.returned = true;
    });
    channel.on('close', () => {
      if (this.channel !== channel) return;
      this.channel = undefined;
      this.rejectAll('disconnected');
    });
    this.channel = channel;
    this.session = session;
  }

  private rejectAll(failure: PublishFailure): void {
    const waiting = this.waiting.splice(0);
    for (const id of [...this.unconfirmed.keys()]) this.settle(id, failure);
    for (const publication of waiting) this.end(publication, failure);
  }

  /**
   * Time in which this process stood still doesn't count towards time-outs: confirms that came meanwhile have still to
   * be read.
   */
  private expire(): void {
    const now = performance.now();
    const stalledMs = now - this.sweptAt - SWEEP_MS;
    this.sweptAt = now;
    const { confirmTimeoutMs } = this.limits;
    this.sendWaiting();
    if (stalledMs > STALL_MS) this.stallUntil = now + Math.min(stalledMs, confirmTimeoutMs);
    if (this.link.blocked) this.alarmUntil = now + confirmTimeoutMs;
    if (now < this.stallUntil) return;
    const isDue = ({ startedAt, sentAt = startedAt, patient }: Publication, withinMs: number): boolean =>
      sentAt + withinMs < now && !(patient && now < this.alarmUntil);
    // First, since their turns go to those that have waited for as long.
    for (const [id, publication] of this.unconfirmed) {
      if (isDue(publication, publication.confirmWithinMs)) this.settle(id, 'timeout');
    }
    const turnless = this.waiting.filter((publication) => isDue(publication, confirmTimeoutMs));
    if (turnless.length === 0) return;
    this.waiting = this.waiting.filter((publication) => !isDue(publication, confirmTimeoutMs));
    for (const publication of turnless) this.end(publication, 'no_turn');
  }
}

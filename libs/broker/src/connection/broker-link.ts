import type { Duplex } from 'node:stream';
import { connect, type Channel, type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import { inTime } from '@form-webhooks/domain';
import type { BrokerLogger } from '../broker-logger.js';
import { GatheredWrites } from './gathered-writes.js';
import { BrokerNodes } from './broker-nodes.js';

const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT = { initialDelay: 100, maxDelay: 2_000, factor: 2, jitter: 0.2, maxRetries: Infinity };

/** How long the broker may take to answer, ms. */
export interface LinkLimits {
  /** The end of a connection. */
  readonly closeMs: number;
  /**
   * All of a step, the first time; twice as long after each that was not answered in time. A broker declares two hundred
   * queues within seconds, one that is busy within minutes, and one without their leaders never.
   */
  readonly stepMs: number;
}

const LIMITS: LinkLimits = { closeMs: 3_000, stepMs: 20_000 };
/** A step may take no longer than so many times `stepMs`. */
const MOST_PATIENCE = 16;

/**
 * One step of setting a connection up, such as declaring queues or attaching a consumer. It runs again, in order, after
 * every reconnect.
 */
export type LinkStep = (session: Session) => Promise<void>;

/**
 * One connection that comes back by itself. A list of steps sets it up, in the same order on the first connect and on
 * every later one: there is no second way for repairs. A channel that closes on its own ends the session, so nothing
 * can look connected while a consumer is missing.
 */
export class BrokerLink {
  private readonly steps: LinkStep[] = [];
  private model: RecoveringChannelModel | undefined;
  private session: Session | undefined;
  private blockedReason: string | undefined;
  private unblockedAt = -Infinity;
  private closing = false;
  private readonly blockedListeners: ((blocked: boolean) => void)[] = [];
  private lost = 0;
  /** How many times `stepMs` a step may take now. */
  private patience = 1;

  private readonly nodes: BrokerNodes;

  constructor(
    urls: string,
    readonly name: string,
    private readonly logger: BrokerLogger,
    private readonly limits: LinkLimits = LIMITS,
  ) {
    this.nodes = new BrokerNodes(urls);
  }

  /** True if the broker is a cluster of several nodes. */
  get isCluster(): boolean {
    return this.nodes.several;
  }

  /** How many nodes its URL names. */
  get nodeCount(): number {
    return this.nodes.count;
  }

  /** True while connected and all steps have run. */
  get ready(): boolean {
    return this.session?.open === true;
  }

  /** True while the broker refuses publishes on this connection (a memory or disk alarm). */
  get blocked(): boolean {
    return this.blockedReason !== undefined;
  }

  /** Since when the broker has read what is sent, by the monotonic clock: in an alarm it reads nothing. Infinity then. */
  get readSince(): number {
    return this.blocked ? Infinity : this.unblockedAt;
  }

  /** How often it was lost since the start. */
  get losses(): number {
    return this.lost;
  }

  onBlocked(listener: (blocked: boolean) => void): void {
    this.blockedListeners.push(listener);
  }

  /** Adds a step; on a connection that already stands it runs at once, and a failure there starts the session anew. */
  addStep(step: LinkStep): void {
    this.steps.push(step);
    const session = this.session;
    if (!session?.open) return;
    step(session).catch((error: unknown) => session.drop(`a step failed: ${(error as Error).message}`));
  }

  /** Runs a step once on the connection that stands. @throws what it throws, or Error while not connected */
  async run(step: LinkStep): Promise<void> {
    if (!this.session?.open) throw new Error(`${this.name}: the broker is away`);
    await step(this.session);
  }

  /** Starts connecting; resolves at once. It goes on trying until it is closed. */
  async start(): Promise<void> {
    const { authorities } = this.nodes;
    this.model = await connect(this.nodes.target, {
      ...(authorities && { ca: [...authorities] }),
      timeout: CONNECT_TIMEOUT_MS,
      noDelay: true,
      clientProperties: { connection_name: this.name },
      recovery: { ...RECONNECT, waitForConnect: false, setup: (model: ChannelModel) => this.setUp(model) },
    });
    this.listen(this.model);
  }

  /** Resolves once everything stands for the first time. */
  async whenReady(): Promise<void> {
    await this.model?.waitForConnect();
  }

  /**
   * A channel for a short task. If it fails, nothing else on the connection is affected. @throws Error while not
   * connected
   */
  async openChannel(): Promise<Channel> {
    if (!this.session?.open) throw new Error(`${this.name}: the broker is away`);
    return this.session.openExpendableChannel();
  }

  /**
   * Closes in order if the broker answers. A broker that is frozen, or that doesn't read because of an alarm, delays a
   * stop by no more than `closeMs`.
   */
  async close(): Promise<void> {
    this.closing = true;
    const closed = this.closeInOrder();
    if (await inTime(closed, this.limits.closeMs)) return;
    this.logger.warn({ connection: this.name }, 'the broker did not answer to the end of a connection');
    closed.catch((error: unknown) => this.logger.debug({ err: error }, 'closing a connection failed'));
  }

  private async closeInOrder(): Promise<void> {
    // Channels first: closing the connection right after the last ack would lose it.
    await this.session?.closeChannels();
    this.session = undefined;
    await this.model?.close();
  }

  private async setUp(model: ChannelModel): Promise<void> {
    const session = new Session(model, this.logger, this.limits.closeMs);
    this.setBlocked(undefined);
    this.hearAlarms(model, session);
    try {
      for (const step of this.steps) await this.answered(step(session));
      // The library starts to watch the connection only after this returns.
      if (!session.open) throw new Error('the connection was lost while it was being set up');
    } catch (error) {
      // The library would wait for the broker's answer to the end, however long.
      await session.end();
      this.setBlocked(undefined);
      throw error;
    }
    this.session = session;
    this.patience = 1;
  }

  /** @throws Error if the step has not ended in time */
  private async answered(step: Promise<void>): Promise<void> {
    const withinMs = this.limits.stepMs * this.patience;
    if (await inTime(step, withinMs)) return;
    this.patience = Math.min(2 * this.patience, MOST_PATIENCE);
    throw new Error(`the broker did not answer within ${withinMs / 1_000} s while the connection was being set up`);
  }

  private listen(model: RecoveringChannelModel): void {
    const { name } = this;
    model.on('connect', () => this.logger.info({ connection: name }, 'broker connected'));
    model.on('disconnect', (error) => {
      this.nodes.turn();
      this.setBlocked(undefined);
      if (!this.closing) this.lost += 1;
      if (!this.closing) this.logger.warn({ connection: name, err: error }, 'broker connection lost');
    });
    model.on('connect-failed', (error) => {
      this.nodes.turn();
      if (!this.closing) this.logger.warn({ connection: name, err: error }, 'broker connection failed, will try again');
    });
    model.on('error', (error) => this.logger.warn({ connection: name, err: error }, 'broker connection error'));
    model.on('handler-error', (error: Error) =>
      this.logger.error({ connection: name, err: error }, 'broker listener threw'),
    );
  }

  /** From the first moment on: the library passes an alarm on only once everything is set up. */
  private hearAlarms(model: ChannelModel, session: Session): void {
    const note = (reason: string | undefined): void => {
      if (session.open) this.setBlocked(reason);
    };
    model.on('blocked', (reason: string) => note(reason));
    model.on('unblocked', () => note(undefined));
  }

  private setBlocked(reason: string | undefined): void {
    const before = this.blocked;
    this.blockedReason = reason;
    if (before === this.blocked) return;
    if (before) this.unblockedAt = performance.now();
    this.logger.warn({ connection: this.name, reason }, this.blocked ? 'broker blocks publishing' : 'broker unblocked');
    for (const listener of this.blockedListeners) listener(this.blocked);
  }
}

/** A connection from one connect to its loss, with the channels that were opened meanwhile. */
export class Session {
  open = true;
  private readonly channels = new Set<Channel>();
  private closing = false;
  /** Resolves when the connection has ended, whoever ended it. */
  private readonly closed: Promise<void>;

  /** For whoever publishes much. */
  readonly writes: Pick<GatheredWrites, 'expect'>;

  constructor(
    private readonly model: ChannelModel,
    private readonly logger: BrokerLogger,
    private readonly closeWithinMs = LIMITS.closeMs,
  ) {
    this.writes = new GatheredWrites(socketOf(model));
    // Without a listener an error during set-up would end the process.
    model.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      model.on('close', () => {
        this.open = false;
        resolve();
      });
    });
  }

  /** What the broker says of itself, its product and version among it. */
  get serverProperties(): Readonly<Record<string, unknown>> {
    return { ...this.model.connection.serverProperties };
  }

  async openChannel(): Promise<Channel> {
    return this.watch(await this.model.createChannel());
  }

  async openConfirmChannel(): Promise<ConfirmChannel> {
    return this.watch(await this.model.createConfirmChannel());
  }

  /** A channel whose failure affects nothing else, such as one for declares that may be refused. */
  async openExpendableChannel(): Promise<Channel> {
    const channel = await this.model.createChannel();
    channel.on('error', () => undefined);
    return channel;
  }

  /** Ends the session. The link connects again and runs all steps again. */
  drop(why: string): void {
    if (!this.open || this.closing) return;
    this.logger.warn({ why }, 'broker session dropped');
    void this.end();
  }

  /**
   * Ends the connection in order, or without the broker: one of whose channels waits for a queue without a leader goes on
   * with its heartbeats and never answers [trap 20]. Resolves when it has ended or was cut.
   */
  async end(): Promise<void> {
    this.open = false;
    const answered = this.model.close().catch((error: unknown) => {
      this.logger.debug({ err: error }, 'closing a lost connection failed');
    });
    if (await inTime(Promise.race([answered, this.closed]), this.closeWithinMs)) return;
    this.logger.warn({}, 'the broker did not answer to the end of a session: its connection is cut');
    socketOf(this.model).destroy(new Error('the broker did not answer to the end of the session'));
  }

  async closeChannels(): Promise<void> {
    this.closing = true;
    await Promise.all([...this.channels].map((channel) => channel.close().catch(() => undefined)));
  }

  private watch<C extends Channel>(channel: C): C {
    this.channels.add(channel);
    channel.on('error', (error) => this.logger.warn({ err: error }, 'broker channel error'));
    channel.on('close', () => {
      this.channels.delete(channel);
      this.drop('a channel closed');
    });
    return channel;
  }
}

/** The library tells nobody else of its socket, and has no other way to end a connection that is not answered. */
const socketOf = (model: ChannelModel): Duplex => (model.connection as unknown as { readonly stream: Duplex }).stream;

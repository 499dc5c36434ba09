import pg, { type ClientConfig } from 'pg';
import { nameOfPrepared } from './prepared-statements.js';

/** How long an orderly goodbye may take before the socket is closed without one, ms. */
const END_WITHIN_MS = 5_000;

/** What the pool hands through to its connections, besides the driver's own options. */
export interface ClientLimits {
  /**
   * While a statement is under way the server may say nothing for so long, ms; then the connection is taken for dead.
   * Longer than the server lets a statement take: from a living one its refusal comes first.
   */
  readonly silenceMs: number;
  /** Told whenever the server says anything. */
  readonly onHeard: () => void;
}

/**
 * A connection on which no statement waits for ever. A packet filter or a dead host can swallow what belongs to a
 * connection without telling either side, and TCP's own limits are a quarter of an hour where something was sent, and
 * hours where nothing was. So the socket of a connection that owes an answer for too long is destroyed: whoever waits
 * gets an error that begins with "Connection terminated", and the pool opens another connection.
 *
 * The driver's `query_timeout` is no such limit: it leaves the statement on the connection, and the connection in the
 * pool.
 */
export class LimitedClient extends pg.Client {
  private silenceMs: number;
  private timer: NodeJS.Timeout | undefined;
  /** Pieces of what the server said. */
  private chunks = 0;

  constructor(config: ClientConfig & ClientLimits) {
    super(config);
    this.silenceMs = config.silenceMs;
    this.before('query', () => this.expectWords());
    this.before('end', () => this.endInTime());
    this.keepPrepared();
    this.on('drain', () => this.expectNothing());
    this.on('end', () => this.expectNothing());
    // Whoever holds the connection is told as well; without a listener of its own an error would end the process.
    this.on('error', () => undefined);
    this.once('connect', () => {
      // Only now is it the stream that stays: TLS has put its own in the place of the socket.
      this.connection.stream.on('data', () => {
        this.chunks += 1;
        this.timer?.refresh();
        config.onHeard();
      });
    });
  }

  /** Lets the server say nothing for longer, for statements that are meant to wait. @returns what ends that */
  allowSilence(silenceMs: number): () => void {
    const usualMs = this.silenceMs;
    this.silenceMs = Math.max(usualMs, silenceMs);
    return () => {
      this.silenceMs = usualMs;
    };
  }

  /** Ends the connection without asking the server. */
  abandon(why: string): void {
    this.expectNothing();
    this.connection.stream.destroy(new Error(`Connection terminated: ${why}`));
  }

  /** Wrapped on the object, since the driver declares a dozen signatures of each. */
  private before(method: 'query' | 'end', before: () => void): void {
    const act = this[method].bind(this) as (...args: unknown[]) => unknown;
    const limited = (...args: unknown[]): unknown => {
      before();
      return act(...args);
    };
    this[method] = limited as never;
  }

  /** TypeORM hands over a text with its values, and has no word for a name. */
  private keepPrepared(): void {
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    const named = (text: unknown, ...rest: unknown[]): unknown => {
      const name = nameOfPrepared(text);
      return name === undefined ? query(text, ...rest) : query({ name, text }, ...rest);
    };
    this.query = named as never;
  }

  private expectWords(): void {
    if (this.timer) return;
    const timer = setTimeout(() => this.endUnlessHeard(timer, this.chunks), this.silenceMs);
    this.timer = timer;
  }

  /** After a stall of the whole process the timer comes before what arrived meanwhile, and this comes after it. */
  private endUnlessHeard(timer: NodeJS.Timeout, chunks: number): void {
    setImmediate(() => {
      if (this.timer !== timer || this.chunks !== chunks) return;
      this.abandon(`the database said nothing for ${this.silenceMs} ms`);
    });
  }

  private expectNothing(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private endInTime(): void {
    const timer = setTimeout(() => this.connection.stream.destroy(), END_WITHIN_MS);
    this.once('end', () => clearTimeout(timer));
  }
}

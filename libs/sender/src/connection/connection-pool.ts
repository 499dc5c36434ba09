import type { RequestTarget } from '../request-target.js';
import type { GuardedConnector } from './guarded-connector.js';
import type { ReceiverConnection } from './receiver-connection.js';

/** Resting connections go before the common 5 s after which servers close theirs; a receiver's shorter hint is honoured. */
const REST_MS = 4_000;
/** A connection this old is not used again, so that DNS changes take effect. */
const MAX_AGE_MS = 60_000;
/**
 * A burst of answers from one busy receiver frees as many connections in one turn of the event loop as there were
 * attempts in flight; with a small limit the next attempts would all pay for a new TLS handshake.
 */
const MAX_RESTING_PER_ORIGIN = 256;
/** A connection that has rested for longer is looked at before it is used. */
const READ_AGAIN_MS = 5;

/** Who has which connection: those that rest, by the origin they lead to, and all others, so that all can be ended. */
export class ConnectionPool {
  /** The one that was used last is the last. */
  private readonly resting = new Map<string, ReceiverConnection[]>();
  private readonly origins = new Map<ReceiverConnection, string>();
  private restingCount = 0;
  private closed = false;

  /** @param restingMax connections that wait for a next request at most, to all receivers */
  constructor(
    private readonly connector: GuardedConnector,
    private readonly restingMax: number,
  ) {}

  /**
   * Calls back once the connection that `take` would give may be used. One that has rested may only after the event loop
   * has read once more what has come on it: an answer that was written for no request lies unread until then, and would
   * be taken for the next request's. The first immediate may run before anything is read again, the second one can't. A
   * connection that became free just now was read just now.
   */
  whenRead({ origin }: RequestTarget, ready: () => void): void {
    const next = this.resting.get(origin)?.at(-1);
    if (next === undefined || next.restedMs <= READ_AGAIN_MS) return ready();
    setImmediate(() => setImmediate(ready));
  }

  /** A connection that rests, or a new one. */
  take(target: RequestTarget): ReceiverConnection {
    const list = this.resting.get(target.origin);
    const connection = list?.pop();
    if (!connection) return this.open(target);
    if (list!.length === 0) this.resting.delete(target.origin);
    this.restingCount -= 1;
    return connection;
  }

  /** A new connection. */
  open(target: RequestTarget): ReceiverConnection {
    const connection = this.connector.open(target, (gone) => this.forget(gone));
    this.origins.set(connection, target.origin);
    return connection;
  }

  /**
   * Takes back a connection on which all of a request has gone out and all of its answer has come.
   * @param hintMs how long it may rest as far as the receiver is concerned
   */
  giveBack(connection: ReceiverConnection, hintMs: number): void {
    const origin = this.origins.get(connection);
    if (origin === undefined) return;
    const list = this.resting.get(origin) ?? [];
    const isYoung = performance.now() - connection.times.openedAt <= MAX_AGE_MS;
    const hasRoom = this.restingCount < this.restingMax && list.length < MAX_RESTING_PER_ORIGIN;
    if (this.closed || hintMs <= 0 || !isYoung || !hasRoom) return connection.destroy();
    list.push(connection);
    if (list.length === 1) this.resting.set(origin, list);
    this.restingCount += 1;
    connection.rest(Math.min(hintMs, REST_MS));
  }

  /** Ends every connection, also those that are still being made. */
  close(): void {
    this.closed = true;
    this.connector.close();
    for (const connection of this.origins.keys()) connection.destroy();
  }

  private forget(connection: ReceiverConnection): void {
    const origin = this.origins.get(connection);
    this.origins.delete(connection);
    const list = origin === undefined ? undefined : this.resting.get(origin);
    const at = list?.indexOf(connection) ?? -1;
    if (at < 0) return;
    list!.splice(at, 1);
    if (list!.length === 0) this.resting.delete(origin!);
    this.restingCount -= 1;
  }
}

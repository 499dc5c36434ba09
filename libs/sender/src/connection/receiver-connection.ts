import type { TLSSocket } from 'node:tls';
import type { ConnectionTimes } from './connection-times.js';

/** The exchange that has a connection, told of what happens on it. */
export interface ConnectionUser {
  /** It is made, and its certificate verified: a request may be written. */
  onReady(): void;
  onBytes(bytes: Buffer): void;
  /**
   * Nothing more comes.
   * @param error undefined if the receiver ended it in order
   */
  onGone(error: Error | undefined): void;
}

/** Up to this much of a body is written in one piece with the headers: copying it is cheaper than a second buffer. */
const MAX_COPIED_BYTES = 16_384;

/**
 * One connection to a receiver, from its first step to its end. It is used by one exchange at a time; between two it
 * rests, and a receiver has nothing to say then: whatever arrives ends it, or it could be read for ever, or be taken for
 * the next request's answer.
 *
 * Its listeners and its one timer stay for as long as it lives: none comes or goes with a request.
 */
export class ReceiverConnection {
  readonly times: ConnectionTimes = { openedAt: performance.now() };
  /** Null until it is connected. */
  remoteAddress: string | null = null;
  /** Whether a request was answered on it. */
  isUsed = false;
  private readonly ending = new AbortController();
  private socket: TLSSocket | undefined;
  private user: ConnectionUser | undefined;
  private gone = false;
  private restingSince = 0;
  private timer: NodeJS.Timeout | undefined;
  private timerMs = 0;

  /** @param onGone called once, when it can't be used any more */
  constructor(private readonly onGone: (connection: ReceiverConnection) => void) {}

  /** Aborts with its end: what is still being done to make it can stop. */
  get ended(): AbortSignal {
    return this.ending.signal;
  }

  get isGone(): boolean {
    return this.gone;
  }

  get isReady(): boolean {
    return this.times.securedAt !== undefined && !this.gone;
  }

  /** What the socket has not handed to the system yet, bytes. */
  get unsentBytes(): number {
    return this.socket?.writableLength ?? 0;
  }

  /** From now on it reports what becomes of this socket, which may be connecting still. */
  attach(socket: TLSSocket): void {
    this.socket = socket;
    const { times } = this;
    if (socket.connecting) {
      // With several addresses it is told of each.
      socket.once('lookup', () => (times.lookedUpAt = performance.now()));
      socket.once('connect', () => this.connected(socket.remoteAddress));
    }
    socket.once('secureConnect', () => {
      times.securedAt = performance.now();
      this.user?.onReady();
    });
    socket.on('data', (bytes: Buffer) => (this.user ? this.user.onBytes(bytes) : this.destroy()));
    // During the handshake Node makes an error of it, which says more.
    socket.on('end', () => this.isReady && this.leave(undefined));
    socket.on('error', (error: Error) => this.leave(error));
    socket.on('close', () => this.leave(new ConnectionLost()));
  }

  connected(remoteAddress: string | undefined): void {
    this.times.connectedAt = performance.now();
    this.remoteAddress = remoteAddress ?? null;
  }

  /** It could not be made. */
  fail(error: Error): void {
    this.leave(error);
  }

  /** The user is told of everything from now on, until it is taken from it. */
  giveTo(user: ConnectionUser): void {
    this.user = user;
    if (this.isReady) user.onReady();
  }

  /** @param onSent called once the system has all of it, or with the error that keeps it from that */
  write(head: string, body: Buffer | undefined, onSent: (error?: Error | null) => void): void {
    const { socket } = this;
    if (!socket) throw new Error('there is no connection yet');
    if (!body) return void socket.write(head, 'latin1', onSent);
    if (body.length <= MAX_COPIED_BYTES) return void socket.write(inOnePiece(head, body), onSent);
    socket.cork();
    socket.write(head, 'latin1');
    socket.write(body, onSent);
    socket.uncork();
  }

  /** Waits for its next request, for so long. The time is renewed by nothing. */
  rest(ms: number): void {
    this.user = undefined;
    this.isUsed = true;
    this.restingSince = performance.now();
    // It runs on while the connection is used: to begin anew is cheaper than to stop.
    if (this.timer && this.timerMs === ms) return void this.timer.refresh();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.user ?? this.destroy(), ms).unref();
    this.timerMs = ms;
  }

  /** How long it has been resting, ms. */
  get restedMs(): number {
    return performance.now() - this.restingSince;
  }

  /** Ends it at once. Its user is told nothing more. */
  destroy(): void {
    this.user = undefined;
    this.leave(undefined);
  }

  private leave(error: Error | undefined): void {
    if (this.gone) return;
    this.gone = true;
    clearTimeout(this.timer);
    this.ending.abort();
    this.onGone(this);
    const { user } = this;
    this.user = undefined;
    user?.onGone(error);
    this.socket?.destroy();
  }
}

/** It closed, and nobody told why. */
export class ConnectionLost extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('the connection closed');
  }
}

function inOnePiece(head: string, body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(head.length + body.length);
  bytes.write(head, 0, 'latin1');
  body.copy(bytes, head.length);
  return bytes;
}

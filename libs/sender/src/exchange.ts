import type { AttemptTimings } from '@form-webhooks/domain';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { timingsOf, type ConnectionTimes } from './connection-times.js';
import { Deadline } from './deadline.js';
import {
  ABORTED,
  classify,
  INTERIM_FLOOD,
  oddStatus,
  timedOut,
  UNEXPECTED_UPGRADE,
  type Failure,
  type Phase,
} from './failure.js';
import { EXCHANGE_ENDED, type GuardedAgent } from './guarded-agent.js';
import { beginRequest, type RequestHeaders, type RequestTarget } from './receiver-request.js';
import { ReceivedHead } from './response/received-head.js';
import {
  BodyExcerpt,
  keptHeaders,
  MAX_BODY_BYTES,
  type ResponseHeaders,
  type SentResponse,
} from './response/response-capture.js';

const MAX_INTERIM_RESPONSES = 8;
/** How much of a request may still be on its way out when its answer ends, and for how long. */
const SENT_SOON_BYTES = 65_536;
const SENT_SOON_MS = 100;
const STALE_CODE = /^(ECONNRESET|EPIPE)$/;
const ignore = (): void => undefined;

export interface ExchangeRequest {
  readonly method: 'POST' | 'HEAD';
  readonly target: RequestTarget;
  readonly headers: RequestHeaders;
  readonly body?: Buffer;
}

export interface ExchangeLimits {
  /** What is left of the attempt's time. */
  readonly timeoutMs: number;
  /** The attempt's whole time, for the message. */
  readonly attemptTimeoutMs: number;
  readonly bodyWaitMs: number;
}

export interface ExchangeOutcome {
  readonly response: SentResponse | null;
  /** `retry-after` as the receiver wrote it. */
  readonly retryAfter?: string;
  readonly failure: Failure | null;
  readonly remoteAddress: string | null;
  /** Null without an exchange, and where the address is not allowed: they tell of what is inside. */
  readonly timings: AttemptTimings | null;
  /** Whether a kept-alive connection turned out to be dead before a byte of an answer came. */
  readonly stale: boolean;
}

/**
 * One request and its answer, settled exactly once: by the end of the answer, by enough of it, by an error, or by the
 * deadline. The status line decides: once it is there and readable, nothing that comes after it changes the outcome, be
 * it headers or body. Whatever did not end cleanly has its connection destroyed.
 */
export class Exchange {
  readonly outcome: Promise<ExchangeOutcome>;
  private readonly excerpt = new BodyExcerpt();
  /** What has come of the answer, until the parser has understood its headers. */
  private head: ReceivedHead | undefined = new ReceivedHead();
  private settle!: (outcome: ExchangeOutcome) => void;
  private settled = false;
  private readonly deadline = new Deadline();
  private request: ClientRequest | undefined;
  /** Whether DNS has answered, or need not be asked. */
  private lookedUp: boolean;
  private response: IncomingMessage | undefined;
  private interim = 0;
  private answered = false;
  /** Of the connection, if it was made for this request. */
  private timesOf: () => ConnectionTimes | undefined = () => undefined;
  private firstByteAt: number | undefined;
  /** Bytes of the body as they came, with the framing of chunks. */
  private wireBytes = 0;
  /** Whether all of the request has left. */
  private sent = false;
  private readonly startedAt = performance.now();

  constructor(
    agent: GuardedAgent,
    { method, target, headers, body }: ExchangeRequest,
    private readonly limits: ExchangeLimits,
  ) {
    this.outcome = new Promise((resolve) => (this.settle = resolve));
    this.deadline.start(limits.timeoutMs, () => this.expire());
    this.lookedUp = !target.isName;
    try {
      this.request = beginRequest(agent, target, method, headers);
      this.listen(this.request, agent);
      this.request.end(body);
    } catch (error) {
      this.onError(error as Error);
    }
  }

  /**
   * Ends the exchange early. Unless an answer has begun, it stays unknown whether the receiver processed the request.
   */
  abort(): void {
    if (this.response) this.complete(true);
    else this.endUnparsed(ABORTED);
  }

  private listen(request: ClientRequest, agent: GuardedAgent): void {
    request.on('error', (error) => this.onError(error));
    request.on('information', () => {
      this.answered = true;
      if (++this.interim > MAX_INTERIM_RESPONSES) this.fail(INTERIM_FLOOD);
    });
    request.once('upgrade', (_response: IncomingMessage, socket: Duplex) => {
      socket.on('error', ignore);
      socket.destroy();
      this.fail(UNEXPECTED_UPGRADE);
    });
    this.timesOf = () => agent.timesOf(request);
    request.once('socket', (socket) => {
      this.timesOf = () => (request.reusedSocket ? undefined : agent.timesOf(socket));
      this.onSocket(request, socket);
    });
    request.once('response', (response) => this.onResponse(response));
    request.once('finish', () => (this.sent = true));
    request.once('close', () => this.onClose());
  }

  /** Reads along with the parser, and before it: a body's framing costs as much to read as the body. */
  private onSocket(request: ClientRequest, socket: Socket): void {
    if (socket.connecting && !this.lookedUp) socket.once('lookup', () => (this.lookedUp = true));
    const read = (chunk: Buffer): void => {
      this.answered = true;
      this.firstByteAt ??= performance.now();
      // What comes after the end of an answer belongs to no request.
      if (this.response?.complete) return void socket.destroy();
      if (!this.response) return this.head?.add(chunk);
      this.wireBytes += chunk.length;
      if (this.wireBytes > MAX_BODY_BYTES) this.complete(true);
    };
    socket.prependListener('data', read);
    // The socket outlives the request if it is kept alive.
    request.once('close', () => socket.off('data', read));
  }

  private onResponse(response: IncomingMessage): void {
    if (this.settled) return;
    const status = response.statusCode ?? 0;
    if (status === 101) return this.fail(UNEXPECTED_UPGRADE);
    if (status < 200 || status > 599) return this.fail(oddStatus(status));
    this.response = response;
    this.head = undefined;
    response.on('error', () => this.complete(true));
    const left = this.limits.timeoutMs - (performance.now() - this.startedAt);
    this.deadline.start(Math.min(this.limits.bodyWaitMs, left), () => this.complete(true));
    response.on('data', (chunk: Buffer) => {
      if (this.excerpt.add(chunk)) this.complete(true);
    });
    response.once('end', () => this.onEnd(response));
  }

  /**
   * An answer that came before the whole request was read leaves a connection that nobody can use again. But when a
   * receiver is fast, its answer is often there before Node tells that the last bytes have left. That connection is
   * whole: the outcome waits until it can be used again, or the next attempt would make one of its own.
   */
  private onEnd(response: IncomingMessage): void {
    const { request, socket } = this;
    // Not `writableFinished`: that asks the socket, which may by now serve another request.
    if (!response.complete || this.sent || !request || this.settled) return this.complete(!response.complete);
    const giveUp = (): void => {
      this.complete(false);
      this.destroy();
      // The request lets go of its socket with the end of the answer.
      socket?.destroy();
    };
    if ((socket?.writableLength ?? Infinity) > SENT_SOON_BYTES) return giveUp();
    this.deadline.start(SENT_SOON_MS, giveUp);
    // Right before its connection is given back.
    request.once('close', () => this.complete(false));
  }

  private onError(error: Error): void {
    if (this.response) return this.complete(true);
    const stale = this.request?.reusedSocket === true && !this.answered && STALE_CODE.test(codeOf(error));
    this.endUnparsed(classify(error, this.isHandshaking), stale);
  }

  /** A request that closes without an answer or an error (Node does so after a 101) must not stay open for ever. */
  private onClose(): void {
    if (this.settled || this.response) return;
    setImmediate(() => {
      if (!this.response) this.endUnparsed(classify({ code: 'ECONNRESET' }, this.isHandshaking));
    });
  }

  /** No answer's headers were complete in time. (Once they are, the body's deadline replaces this one.) */
  private expire(): void {
    this.endUnparsed(timedOut(this.phase, this.limits.attemptTimeoutMs));
  }

  /**
   * The headers of an answer will never be complete, or were refused by the parser. If its status line was readable, it
   * is an answer all the same: a receiver that has said 200 must not be sent the same again. The connection goes, because
   * nobody can tell where on it this answer ends.
   */
  private endUnparsed(failure: Failure, stale = false): void {
    const head = this.settled ? undefined : this.head?.read();
    if (!head) return this.fail(failure, stale);
    this.settleAnswer(head.status, head.headers, true);
    this.destroy();
  }

  private complete(cut: boolean): void {
    const { response } = this;
    if (this.settled || !response) return;
    this.settleAnswer(response.statusCode!, response.headers, cut);
    if (cut) this.destroy();
  }

  private settleAnswer(status: number, headers: ResponseHeaders, cut: boolean): void {
    const { excerpt, remoteAddress } = this;
    const retryAfter = headers['retry-after'];
    const response = {
      status,
      headers: keptHeaders(status, headers),
      ...excerpt.read(),
      truncated: cut || excerpt.truncated,
    };
    const outcome = { response, failure: null, remoteAddress, timings: this.timings, stale: false };
    this.finish(typeof retryAfter === 'string' ? { ...outcome, retryAfter } : outcome);
  }

  private fail(failure: Failure, stale = false): void {
    if (this.settled) return;
    const isDenied = failure.code === 'address_not_allowed';
    const [remoteAddress, timings] = isDenied ? [null, null] : [this.remoteAddress, this.timings];
    this.finish({ response: null, failure, remoteAddress, timings, stale });
    this.destroy();
  }

  private finish(outcome: ExchangeOutcome): void {
    this.settled = true;
    this.deadline.cancel();
    this.settle(outcome);
  }

  private destroy(): void {
    this.request?.emit(EXCHANGE_ENDED);
    this.request?.destroy();
    this.request?.socket?.destroy();
  }

  private get socket(): TLSSocket | undefined {
    return (this.request?.socket ?? undefined) as TLSSocket | undefined;
  }

  private get remoteAddress(): string | null {
    return this.socket?.remoteAddress ?? null;
  }

  private get timings(): AttemptTimings {
    return timingsOf(this.startedAt, this.timesOf(), this.firstByteAt);
  }

  /** `authorized` turns true with the end of the handshake: there is no connection without verification. */
  private get isHandshaking(): boolean {
    return this.remoteAddress !== null && this.socket?.authorized === false;
  }

  private get phase(): Phase {
    if (!this.socket) return 'connect';
    if (this.socket.connecting) return this.lookedUp ? 'connect' : 'dns';
    if (this.isHandshaking) return 'tls';
    return this.sent ? 'response' : 'send';
  }
}

function codeOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

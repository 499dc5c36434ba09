import type { AttemptTimings } from '@form-webhooks/domain';
import type { ConnectionPool } from './connection/connection-pool.js';
import { timingsOf } from './connection/connection-times.js';
import { ConnectionLost, type ConnectionUser, type ReceiverConnection } from './connection/receiver-connection.js';
import { Deadline } from './deadline.js';
import {
  ABORTED,
  classify,
  HEADER_OVERFLOW,
  INTERIM_FLOOD,
  INVALID_ANSWER,
  oddStatus,
  timedOut,
  UNEXPECTED_UPGRADE,
  type Failure,
  type Phase,
} from './failure.js';
import { requestHead, type RequestHeaders } from './request-head.js';
import type { RequestTarget } from './request-target.js';
import { AnswerReader, type AnswerState } from './response/answer-reader.js';
import type { ReadHead } from './response/received-head.js';
import { keptHeaders, type SentResponse } from './response/response-capture.js';

/** How much of a request may still be on its way out when its answer ends, and for how long. */
const SENT_SOON_BYTES = 65_536;
const SENT_SOON_MS = 100;
const STALE_CODE = /^(ECONNRESET|EPIPE)$/;

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
  /** It takes no connection that was used before. */
  readonly onFresh: boolean;
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
export class Exchange implements ConnectionUser {
  readonly outcome: Promise<ExchangeOutcome>;
  private settle!: (outcome: ExchangeOutcome) => void;
  private settled = false;
  private readonly deadline = new Deadline();
  private readonly reader: AnswerReader;
  private head = '';
  private connection: ReceiverConnection | undefined;
  private reused = false;
  private answered = false;
  private ended = false;
  private firstByteAt: number | undefined;
  /** Whether all of the request has left. */
  private sent = false;
  private readonly startedAt = performance.now();

  constructor(
    private readonly pool: ConnectionPool,
    private readonly request: ExchangeRequest,
    private readonly limits: ExchangeLimits,
  ) {
    this.outcome = new Promise((resolve) => (this.settle = resolve));
    this.reader = new AnswerReader(request.method === 'HEAD');
    this.begin();
  }

  /**
   * Ends the exchange early. Unless an answer has begun, it stays unknown whether the receiver processed the request.
   */
  abort(): void {
    this.endEarly(ABORTED);
  }

  onReady(): void {
    this.connection!.write(this.head, this.request.body, this.onSent);
  }

  onBytes(bytes: Buffer): void {
    this.answered = true;
    this.firstByteAt ??= performance.now();
    // What comes after the end of an answer belongs to no request.
    if (this.ended) return this.connection?.destroy();
    const begun = this.reader.answer !== undefined;
    const state = this.reader.read(bytes);
    if (state === 'incomplete') {
      if (!begun && this.reader.answer) this.waitForBody();
    } else if (state === 'ended') this.onEnd();
    else this.onLastWord(state);
  }

  onGone(error: Error | undefined): void {
    if (this.reader.answer) return this.complete(!this.ended && (error !== undefined || !this.reader.endsHere));
    const lost = error ?? new ConnectionLost();
    const stale = this.reused && !this.answered && STALE_CODE.test(codeOf(lost));
    this.endUnread(classify(lost, this.isHandshaking), stale);
  }

  private begin(): void {
    const { pool, limits, request } = this;
    const { target } = request;
    try {
      this.head = requestHead(request.method, target, request.headers);
    } catch (error) {
      return this.fail(classify(error, false));
    }
    this.deadline.start(limits.timeoutMs, () => this.endEarly(timedOut(this.phase, limits.attemptTimeoutMs)));
    if (limits.onFresh) return this.use(pool.open(target));
    pool.whenRead(target, () => {
      if (!this.settled) this.use(pool.take(target));
    });
  }

  private use(connection: ReceiverConnection): void {
    this.connection = connection;
    this.reused = connection.isUsed;
    connection.giveTo(this);
  }

  /** @param error why it has not left; what has ended the connection tells of it too */
  private readonly onSent = (error?: Error | null): void => {
    if (error) return;
    this.sent = true;
    if (this.ended) this.complete(false);
  };

  private waitForBody(): void {
    const left = this.limits.timeoutMs - (performance.now() - this.startedAt);
    this.deadline.start(Math.min(this.limits.bodyWaitMs, left), () => this.complete(true));
  }

  /**
   * An answer that came before the whole request was read leaves a connection that nobody can use again. But when a
   * receiver is fast, its answer is often there before Node tells that the last bytes have left. That connection is
   * whole: the outcome waits until it can be used again, or the next attempt would make one of its own.
   */
  private onEnd(): void {
    this.ended = true;
    if (this.sent) return this.complete(false);
    if (this.connection!.unsentBytes > SENT_SOON_BYTES) return this.complete(false);
    this.deadline.start(SENT_SOON_MS, () => this.complete(false));
  }

  /** Nobody can tell where on its connection this answer ends. */
  private onLastWord(state: Exclude<AnswerState, 'incomplete' | 'ended'>): void {
    switch (state) {
      case 'cut':
        return this.complete(true);
      case 'broken':
        return this.endUnread(INVALID_ANSWER);
      case 'overflow':
        return this.endUnread(HEADER_OVERFLOW);
      case 'flood':
        return this.fail(INTERIM_FLOOD);
      case 'upgrade':
        return this.fail(UNEXPECTED_UPGRADE);
      case 'odd':
        return this.fail(oddStatus(this.reader.oddStatus));
    }
  }

  private endEarly(failure: Failure): void {
    if (this.reader.answer) this.complete(true);
    else this.endUnread(failure);
  }

  /**
   * The head of an answer will never be complete, or is malformed. If its status line was readable, it is an answer all
   * the same: a receiver that has said 200 must not be sent the same again.
   */
  private endUnread(failure: Failure, stale = false): void {
    const head = this.settled ? undefined : this.reader.readLeniently();
    if (!head) return this.fail(failure, stale);
    this.connection?.destroy();
    this.finishWith(head, true);
  }

  private complete(cut: boolean): void {
    const { answer } = this.reader;
    if (this.settled || !answer) return;
    // Before anyone hears of the outcome: the next attempt is to find the connection.
    this.leave(cut, answer.restMs);
    this.finishWith(answer, cut);
  }

  private leave(cut: boolean, restMs: number): void {
    const { connection } = this;
    if (!connection) return;
    if (cut || !this.ended || !this.sent || this.reader.hasSurplus) connection.destroy();
    else this.pool.giveBack(connection, restMs);
  }

  private finishWith({ status, headers }: ReadHead, cut: boolean): void {
    const { excerpt } = this.reader;
    const retryAfter = headers['retry-after'];
    const response = {
      status,
      headers: keptHeaders(status, headers),
      ...excerpt.read(),
      truncated: cut || excerpt.truncated,
    };
    const { remoteAddress, timings } = this;
    const outcome = { response, failure: null, remoteAddress, timings, stale: false };
    this.finish(retryAfter === undefined ? outcome : { ...outcome, retryAfter });
  }

  private fail(failure: Failure, stale = false): void {
    if (this.settled) return;
    const isDenied = failure.code === 'address_not_allowed';
    const [remoteAddress, timings] = isDenied ? [null, null] : [this.remoteAddress, this.timings];
    this.connection?.destroy();
    this.finish({ response: null, failure, remoteAddress, timings, stale });
  }

  private finish(outcome: ExchangeOutcome): void {
    this.settled = true;
    this.deadline.cancel();
    this.settle(outcome);
  }

  private get remoteAddress(): string | null {
    return this.connection?.remoteAddress ?? null;
  }

  private get timings(): AttemptTimings {
    return timingsOf(this.startedAt, this.reused ? undefined : this.connection?.times, this.firstByteAt);
  }

  private get isHandshaking(): boolean {
    const { connectedAt, securedAt } = this.connection?.times ?? {};
    return connectedAt !== undefined && securedAt === undefined;
  }

  private get phase(): Phase {
    const { lookedUpAt, connectedAt, securedAt } = this.connection?.times ?? {};
    if (securedAt !== undefined) return this.sent ? 'response' : 'send';
    if (connectedAt !== undefined) return 'tls';
    return this.request.target.isName && lookedUpAt === undefined ? 'dns' : 'connect';
  }
}

const codeOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? '';

import {
  checkEndpointUrl,
  type AttemptResult,
  type AttemptTimings,
  type EndpointUrlCheck,
  type EndpointUrlPolicy,
  type ErrorCode,
} from '@form-webhooks/domain';
import { LRUCache } from 'lru-cache';
import { ConnectionPool } from './connection/connection-pool.js';
import { GuardedConnector } from './connection/guarded-connector.js';
import { createTrust } from './connection/trusted-roots.js';
import { Exchange, type ExchangeLimits, type ExchangeOutcome, type ExchangeRequest } from './exchange.js';
import { ABORTED, type Failure } from './failure.js';
import { PermittedAddresses } from './permitted-addresses.js';
import { requestTarget, type RequestTarget } from './request-target.js';
import type { SentResponse } from './response/response-capture.js';
import { withDefaults, type ResolvedSenderOptions, type SenderOptions } from './sender-options.js';

export interface SendRequest {
  readonly url: string;
  /** Headers besides those that sealing gives, such as a test send's mark. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes the body of this attempt and signs it; called once, with the moment at which sending starts. */
  readonly seal: (unixSeconds: number) => SealedBody;
}

export interface SealedBody {
  /** The bytes signed; they are the bytes sent. */
  readonly body: Buffer;
  /** The headers by which the receiver verifies it. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One attempt, as the delivery log keeps it. */
export interface SentAttempt {
  /** What the next step is decided by. */
  readonly result: AttemptResult;
  /** ms since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** The unix seconds that the body was sealed with. */
  readonly timestamp: number;
  /** As sent (or as they would have been), names in lower case. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly response: SentResponse | null;
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
  /** Null if no connection was made, or to an address that is not allowed. */
  readonly remoteAddress: string | null;
  /** Of the connection on which it was sent last; null if nothing was sent, or to an address that is not allowed. */
  readonly timings: AttemptTimings | null;
  /** Whether it was sent a second time because a kept-alive connection turned out to be dead. */
  readonly resent: boolean;
}

export type UrlCheckCode =
  'invalid_url' | 'not_https' | 'address_not_allowed' | 'dns' | 'connect' | 'tls' | 'timeout' | 'redirect';

export type UrlCheck =
  | { readonly ok: true; readonly status: number }
  | { readonly ok: false; readonly code: UrlCheckCode; readonly message: string };

interface Run {
  readonly outcome: ExchangeOutcome;
  readonly resent: boolean;
}

type CheckedUrl = { readonly ok: true; readonly target: RequestTarget } | Extract<EndpointUrlCheck, { ok: false }>;

/** URLs whose check is remembered; it depends on nothing but the URL and the policy, which never changes. */
const MAX_CHECKED_URLS = 10_000;

/**
 * Sends webhooks: the only way to the internet. Whatever a receiver or the network does becomes a value; only a bug (or
 * `seal` throwing) rejects. Each send is bounded by one deadline and leaves no socket behind that can't be reused.
 */
export class Sender {
  private readonly options: ResolvedSenderOptions;
  private readonly urlPolicy: EndpointUrlPolicy;
  private readonly connections: ConnectionPool;
  private readonly running = new Set<Exchange>();
  private readonly runningBySignal = new WeakMap<AbortSignal, Set<Exchange>>();
  private readonly checkedUrls = new LRUCache<string, CheckedUrl>({ max: MAX_CHECKED_URLS });
  private closed = false;

  /** @throws RangeError if an option is out of bounds or the extra roots are not readable */
  constructor(options: SenderOptions) {
    this.options = withDefaults(options);
    const {
      addressPolicy: policy,
      allowedHosts,
      ports,
      createResolver,
      resolveCacheMs: cacheMs,
      onDenied,
    } = this.options;
    this.urlPolicy = { addresses: policy, allowedHosts, ports };
    const addresses = new PermittedAddresses({
      ...(createResolver && { createResolver }),
      policy,
      allowedHosts,
      cacheMs,
      onDenied,
    });
    const trust = createTrust(this.options.extraRoots);
    const connector = new GuardedConnector({ ...this.options, addresses, policy, trust });
    this.connections = new ConnectionPool(connector, this.options.idleSocketsMax);
  }

  /**
   * One attempt: a signed POST. Call it once the attempt's slot is there, because the timestamp is taken now.
   * @param signal gives up; the result is then `aborted`, unless the receiver has already answered
   */
  async send(request: SendRequest, signal?: AbortSignal): Promise<SentAttempt> {
    const startedAt = Date.now();
    const began = performance.now();
    const timestamp = Math.floor(startedAt / 1_000);
    const sealed = request.seal(timestamp);
    const checked = this.checked(request.url);
    const requestHeaders = this.headersOf(request, sealed, checked.ok ? checked.target.authority : undefined);
    const { outcome, resent } = checked.ok
      ? await this.run({ method: 'POST', target: checked.target, headers: requestHeaders, body: sealed.body }, signal)
      : { outcome: failed(checked), resent: false };
    return {
      result: resultOf(outcome),
      startedAt,
      durationMs: Math.round(performance.now() - began),
      timestamp,
      requestHeaders,
      response: outcome.response,
      error: outcome.failure,
      remoteAddress: outcome.remoteAddress,
      timings: outcome.timings,
      resent,
    };
  }

  /** Whether a receiver responds at a URL: one unsigned HEAD under every rule of a delivery. */
  async check(url: string, signal?: AbortSignal): Promise<UrlCheck> {
    const checked = this.checked(url);
    if (!checked.ok) return { ok: false, code: checked.code, message: checked.message };
    const { target } = checked;
    const headers = { host: target.authority, 'user-agent': this.options.userAgent, 'accept-encoding': 'identity' };
    const { outcome } = await this.run({ method: 'HEAD', target, headers }, signal);
    const { response, failure } = outcome;
    if (!response && HIDDEN.has(failure!.code)) return NO_PUBLIC_ADDRESS;
    if (!response) return { ok: false, code: coarse(failure!.code), message: failure!.message };
    if (response.status < 300 || response.status > 399) return { ok: true, status: response.status };
    const to = response.headers['location'];
    const message = `The URL answers with a redirect (${response.status}${to ? ` to ${to}` : ''}), which webhooks never follow; enter the final URL.`;
    return { ok: false, code: 'redirect', message };
  }

  /** Ends what is running (as `aborted`) and every connection; later sends are `aborted` at once. */
  close(): void {
    this.closed = true;
    for (const exchange of this.running) exchange.abort();
    this.connections.close();
  }

  private checked(url: string): CheckedUrl {
    const known = this.checkedUrls.get(url);
    if (known) return known;
    const check = checkEndpointUrl(url, this.urlPolicy);
    const checked = check.ok ? { ok: true as const, target: requestTarget(check.href) } : check;
    this.checkedUrls.set(url, checked);
    return checked;
  }

  /** As they are recorded: by lower-case name, ours instead of others of the same name. */
  private headersOf(request: SendRequest, sealed: SealedBody, host: string | undefined): Record<string, string> {
    const headers: Record<string, string> = host === undefined ? {} : { host };
    addLowerCased(headers, request.headers);
    addLowerCased(headers, sealed.headers);
    if (host !== undefined) headers['host'] = host;
    headers['content-type'] = 'application/json';
    headers['user-agent'] = this.options.userAgent;
    headers['accept-encoding'] = 'identity';
    headers['content-length'] = String(sealed.body.length);
    return headers;
  }

  /**
   * A reset of a kept-alive connection before any answer says that the receiver had closed it: the request is sent once
   * more, on a fresh connection. If it had been processed all the same, the receiver sees the same `delivery_id` twice.
   */
  private async run(request: ExchangeRequest, signal: AbortSignal | undefined): Promise<Run> {
    const deadline = performance.now() + this.options.attemptTimeoutMs;
    const first = await this.exchange(request, this.limits(this.options.attemptTimeoutMs, false), signal);
    const left = deadline - performance.now();
    if (!first.stale || left <= 0) return { outcome: first, resent: false };
    return { outcome: await this.exchange(request, this.limits(left, true), signal), resent: true };
  }

  private limits(timeoutMs: number, onFresh: boolean): ExchangeLimits {
    const { attemptTimeoutMs, bodyWaitMs } = this.options;
    return { timeoutMs, attemptTimeoutMs, bodyWaitMs, onFresh };
  }

  private async exchange(
    request: ExchangeRequest,
    limits: ExchangeLimits,
    signal: AbortSignal | undefined,
  ): Promise<ExchangeOutcome> {
    if (this.closed || signal?.aborted) return failed(ABORTED);
    const exchange = new Exchange(this.connections, request, limits);
    const sameSignal = signal && this.endedBy(signal);
    sameSignal?.add(exchange);
    this.running.add(exchange);
    try {
      return await exchange.outcome;
    } finally {
      this.running.delete(exchange);
      sameSignal?.delete(exchange);
    }
  }

  /** What a signal ends. One signal stops all attempts of a process, so it gets one listener, not one per attempt. */
  private endedBy(signal: AbortSignal): Set<Exchange> {
    const known = this.runningBySignal.get(signal);
    if (known) return known;
    const exchanges = new Set<Exchange>();
    this.runningBySignal.set(signal, exchanges);
    signal.addEventListener('abort', () => exchanges.forEach((exchange) => exchange.abort()), { once: true });
    return exchanges;
  }
}

function failed({ code, message }: Failure): ExchangeOutcome {
  return { response: null, failure: { code, message }, remoteAddress: null, timings: null, stale: false };
}

function resultOf({ response, failure, retryAfter }: ExchangeOutcome): AttemptResult {
  if (!response) return { kind: 'error', code: failure!.code };
  const { status } = response;
  return retryAfter === undefined ? { kind: 'response', status } : { kind: 'response', status, retryAfter };
}

/** A name that does not exist and one that exists inside answer alike: a check is no way to find out about the inside. */
const HIDDEN: ReadonlySet<ErrorCode> = new Set(['dns', 'address_not_allowed']);
const NO_PUBLIC_ADDRESS: UrlCheck = {
  ok: false,
  code: 'address_not_allowed',
  message: 'The host name does not exist, or does not lead to a public address that webhooks may be sent to.',
};

const COARSE: Readonly<Record<ErrorCode, UrlCheckCode>> = {
  invalid_url: 'invalid_url',
  not_https: 'not_https',
  address_not_allowed: 'address_not_allowed',
  dns: 'dns',
  connect: 'connect',
  reset: 'connect',
  tls: 'tls',
  tls_expired: 'tls',
  tls_name_mismatch: 'tls',
  tls_untrusted: 'tls',
  tls_protocol: 'tls',
  timeout: 'timeout',
  protocol: 'connect',
  header_overflow: 'connect',
  interim_flood: 'connect',
  unexpected_upgrade: 'connect',
  aborted: 'timeout',
};

const coarse = (code: ErrorCode): UrlCheckCode => COARSE[code];

function addLowerCased(to: Record<string, string>, headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) to[name.toLowerCase()] = value;
}

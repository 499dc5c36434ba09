import { EndpointLimit } from './endpoint-limit.js';
import { RateLimit } from './rate-limit.js';
import { Surplus } from './rates.js';
import { PROVEN_FOR_MS, Standing } from './standing.js';
import type { PoolName } from './pools.js';
import type { WaitsFor } from './waiting-deliveries.js';

/** How much the latest attempt counts in an endpoint's average latency. */
const LATENCY_WEIGHT = 0.2;
/** What an endpoint is taken to need before anything is known of it, ms. */
const INITIAL_LATENCY_MS = 100;
const LATELY_MS = 1_000;

/** A receiver's scheme, host and port: endpoints that share it share its fate. */
export class Origin extends Standing {
  readonly surplus = new Surplus();
  /** Of those in flight, the attempts at endpoints that answer. */
  answeringInFlight = 0;
  /** Whose attempt is the latest to have begun here, and when it had failed by then. */
  private latest: { readonly endpoint: Endpoint; readonly failedAt: number } | undefined;

  constructor(readonly name: string) {
    super();
  }

  /** An attempt at one of its endpoints begins. */
  begin(endpoint: Endpoint): void {
    this.inFlight += 1;
    this.latest = { endpoint, failedAt: endpoint.failedAt };
  }

  /**
   * Whether its pauses let an endpoint attempt. Whoever has much to send asks first after each pause and would have all
   * turns, so one that failed longer ago than the one that had the latest turn does not wait for the next. So within a
   * pause each further attempt is at one that failed before the one before it: few, also where thousands ask. One that
   * has not failed since its answer may have more while it has the latest turn, and the next of those that have answered
   * may follow as soon as it has failed.
   */
  lets(endpoint: Endpoint, now: number): boolean {
    if (this.mayAttempt(now) || this.latest === undefined) return true;
    if (endpoint.failedAt < this.latest.failedAt) return true;
    if (endpoint.failedAt !== -Infinity) return false;
    return endpoint === this.latest.endpoint || (endpoint.hasAnswered && this.latest.endpoint.failedAt !== -Infinity);
  }
}

/** What the policy knows of an endpoint. */
export class Endpoint extends Standing {
  readonly limit: EndpointLimit;
  readonly surplus = new Surplus();
  readonly rate = new RateLimit();
  /** Its deliveries that wait in memory, by what they wait for. */
  readonly waitingFor: Record<WaitsFor, number> = { 'own limit': 0, rate: 0, total: 0 };
  latencyMs = INITIAL_LATENCY_MS;
  /** As what it is counted among the busy ones, if it is. */
  busyAs: 'suspect' | 'unsuspected' | undefined;

  constructor(
    readonly id: string,
    public origin: Origin,
    max: number,
  ) {
    super();
    this.limit = new EndpointLimit(max);
  }

  /** Its deliveries that wait in memory. */
  get waiting(): number {
    const { 'own limit': ownLimit, rate, total } = this.waitingFor;
    return ownLimit + rate + total;
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.waiting === 0;
  }

  get isSuspectAnyhow(): boolean {
    return this.isSuspect || this.origin.isSuspect;
  }

  poolAt(now: number): PoolName {
    if (this.isSuspectAnyhow) return 'suspect';
    const proven = this.isAnswering(now) || this.origin.answeredWithin(PROVEN_FOR_MS, now);
    return proven ? 'proven' : 'unproven';
  }

  /** It answered within the last seconds itself: a sibling's answer says nothing of it. */
  isAnswering(now: number): boolean {
    return this.answeredWithin(PROVEN_FOR_MS, now);
  }

  /** It is not suspect, and it or its origin answered within the last second. */
  isProvenLately(now: number): boolean {
    const answered = this.answeredWithin(LATELY_MS, now) || this.origin.answeredWithin(LATELY_MS, now);
    return answered && !this.isSuspectAnyhow;
  }

  /** Neither it nor its origin is paced, or the turn of the next attempt has come. */
  isDue(now: number): boolean {
    return this.mayAttempt(now) && this.origin.lets(this, now);
  }

  /** Of it and its origin, those whose pauses its next attempt waits for. */
  pacedBy(now: number): readonly (Endpoint | Origin)[] {
    const { origin } = this;
    return [...(this.isPaced(now) ? [this] : []), ...(origin.isPaced(now) && !origin.lets(this, now) ? [origin] : [])];
  }

  /** An attempt took so long, whatever came of it. */
  took(ms: number): void {
    this.latencyMs += LATENCY_WEIGHT * (ms - this.latencyMs);
  }
}

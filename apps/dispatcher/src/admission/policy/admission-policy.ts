import { BusyEndpoints } from './busy-endpoints.js';
import { DeferralTurns, type Obstacle } from './deferral-turns.js';
import { INITIAL_LIMIT } from './endpoint-limit.js';
import type { Endpoint } from './endpoint.js';
import { KnownEndpoints } from './known-endpoints.js';
import { Pools } from './pools.js';
import type { PolicyLimits } from './policy-limits.js';
import type { RateTurn } from './rate-limit.js';
import { WaitingDeliveries, type WaitingDelivery, type WaitsFor } from './waiting-deliveries.js';
import { YoungAttempts, type RunningAttempt } from './young-attempts.js';

/** A delivery that asks for an attempt. */
export interface Asking {
  readonly endpointId: string;
  readonly origin: string;
  /** It has waited on a delay before: a retry, or a deferral. */
  readonly due: boolean;
  /** How often this try was put off before; 0 if absent. */
  readonly deferrals?: number;
  /** Attempts a second that the endpoint may have from this process; undefined for any number. */
  readonly ratePerSecond?: number | undefined;
}

export type Start = { readonly kind: 'start'; readonly attempt: RunningAttempt };
export type Defer = { readonly kind: 'defer'; readonly delayMs: number; readonly obstacle: Obstacle };
export type Wait = { readonly kind: 'wait'; readonly waiting: WaitingDelivery };

/** What became of a delivery that waited. */
export interface Decided {
  readonly waiting: WaitingDelivery;
  readonly decision: Start | Defer;
}

/** What an attempt says of its receiver; `nothing` if it was not made, or was cut off by us. */
export type Outcome = 'answered' | 'failed' | 'timed out' | 'nothing';

/**
 * Who may attempt, who waits and who is deferred: docs/isolation.md. It has no clock and no timer of its own: every call
 * is told the time in ms, which never runs back. A call costs no scan over what is known, only over what waits.
 */
export class AdmissionPolicy {
  private readonly known: KnownEndpoints;
  private readonly pools: Pools;
  private readonly busy: BusyEndpoints;
  private readonly turns: DeferralTurns;
  private readonly young = new YoungAttempts();
  private readonly waiting = new WaitingDeliveries();
  private nextTurnAt = Infinity;

  constructor(private readonly limits: PolicyLimits) {
    this.known = new KnownEndpoints(limits.endpointMaxInFlight, limits.rememberedMax);
    this.pools = new Pools(limits.concurrency);
    this.busy = new BusyEndpoints(limits.concurrency, limits.endpointMaxInFlight, this.pools);
    this.turns = new DeferralTurns(limits, this.pools, this.busy);
  }

  /** Attempts in flight. */
  get inFlight(): number {
    return this.pools.sockets;
  }

  /** Of as many as there are; fewer than the attempts in flight if suspects hold more than their share. */
  get slotsInUse(): number {
    return this.pools.slots;
  }

  /** Deliveries that wait in memory. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /** Endpoints with attempts in flight that take too long, or whose origin does. */
  get suspectCount(): number {
    return this.busy.suspects;
  }

  /** Endpoints that are remembered. */
  get knownCount(): number {
    return this.known.size;
  }

  /** When one that waits for its turn by its endpoint's rate may start: `advance` is wanted then, if that is sooner. */
  get nextRateTurnAt(): number {
    return this.nextTurnAt;
  }

  /**
   * How many more attempts of an endpoint may begin now. Infinity where it is of no use to wait for that: it is in
   * trouble, its pool is full, or it has a rate by which its deliveries book their turns.
   */
  roomOf(endpointId: string, now: number): number {
    const endpoint = this.known.peek(endpointId);
    if (endpoint === undefined) return Math.min(INITIAL_LIMIT, this.limits.endpointMaxInFlight);
    const obstacle = this.obstacleTo(endpoint, now);
    if (obstacle === 'total' || obstacle === 'origin') return 0;
    if (endpoint.isSuspectAnyhow || endpoint.rate.isLimited) return Infinity;
    if (obstacle === 'paced' || obstacle === 'pool') return Infinity;
    return Math.max(0, this.busy.limitOf(endpoint) - endpoint.inFlight - endpoint.waiting);
  }

  ask(asking: Asking, now: number): Start | Wait | Defer {
    const endpoint = this.known.use(asking.endpointId, asking.origin);
    endpoint.want(now);
    endpoint.origin.want(now);
    endpoint.rate.set(asking.ratePerSecond);
    const { due, deferrals = 0 } = asking;
    const turn = { deferrals, bookedMs: deferrals === 0 ? endpoint.rate.book(now) : undefined };
    const obstacle = this.obstacleTo(endpoint, now) ?? obstacleBefore(endpoint, turn);
    if (obstacle === undefined) return this.start(endpoint, now);
    const waitMs = this.waitFor(obstacle, endpoint, turn, now);
    if (waitMs === 0) return this.defer(endpoint, obstacle, turn, now);
    const waitsFor = waitsForOf(obstacle);
    const waiting = { endpoint, due, deferrals, until: now + waitMs, waitsFor } as const;
    this.waiting.add(waiting);
    if (obstacle === 'rate') this.noteRateTurn(endpoint, now);
    return { kind: 'wait', waiting };
  }

  /** The POST of an attempt that holds a slot begins: from now on it may take too long. */
  begin(attempt: RunningAttempt, now: number): void {
    attempt.startedAt = now;
    this.young.add(attempt);
  }

  /**
   * An attempt is over.
   * @param tookMs what its receiver needed of the time
   * @returns what waited and is decided now
   */
  end(attempt: RunningAttempt, outcome: Outcome, now: number, tookMs = now - attempt.startedAt): Decided[] {
    const { endpoint, pool, answeredLately, heldSince } = attempt;
    if (outcome !== 'nothing') {
      this.turns.ended(pool, now - heldSince, now);
      endpoint.took(tookMs);
      this.learn(attempt, outcome, now);
    }
    this.pools.remove(pool, answeredLately);
    this.young.remove(attempt);
    endpoint.inFlight -= 1;
    endpoint.origin.inFlight -= 1;
    noLongerAnswering(attempt);
    this.busy.note(endpoint);
    this.known.rest(endpoint);
    return this.startWaiting(now);
  }

  /** To be called about every 50 ms while something is in flight or waits. @returns what waited and is decided now */
  advance(now: number): Decided[] {
    for (const attempt of this.young.takeSlow(now)) this.suspect(attempt);
    const overdue = this.waiting.takeOverdue(now).map((waiting): Decided => {
      const { endpoint, deferrals } = waiting;
      const obstacle = this.obstacleTo(endpoint, now) ?? waiting.waitsFor;
      return { waiting, decision: this.defer(endpoint, obstacle, { deferrals: deferrals + 1 }, now) };
    });
    return [...overdue, ...this.startWaiting(now)];
  }

  /** What keeps an attempt from starting now. */
  private obstacleTo(endpoint: Endpoint, now: number): Obstacle | undefined {
    if (!endpoint.isDue(now)) return 'paced';
    const pool = endpoint.poolAt(now);
    if (this.pools.isFull(pool)) return 'pool';
    if (endpoint.inFlight >= this.busy.limitOf(endpoint)) return 'own limit';
    if (this.busy.isFull(endpoint.origin, endpoint.isAnswering(now))) return 'origin';
    if (endpoint.rate.gapMs(now) > 0) return 'rate';
    return this.pools.isUsedUp(endpoint.isProvenLately(now)) ? 'total' : undefined;
  }

  /** How long a delivery may wait in memory, ms. 0 if it would not start in time anyway. */
  private waitFor(obstacle: Obstacle, endpoint: Endpoint, turn: RateTurn, now: number): number {
    if (obstacle === 'total') return this.turns.waitForTotal(endpoint, this.waiting.count('total'));
    if (obstacle === 'rate') return this.turns.waitForRate(endpoint, turn, this.waiting.count('rate'), now);
    if (waitsForOf(obstacle) !== 'own limit' || endpoint.isSuspectAnyhow) return 0;
    return this.turns.waitForOwnLimit(endpoint, this.waiting.count('own limit'), now);
  }

  private start(endpoint: Endpoint, now: number): Start {
    const isOfAnswering = endpoint.isAnswering(now);
    const pool = endpoint.poolAt(now);
    const answeredLately = endpoint.isProvenLately(now);
    const attempt: RunningAttempt = { endpoint, heldSince: now, startedAt: now, pool, answeredLately, isOfAnswering };
    endpoint.inFlight += 1;
    endpoint.origin.begin(endpoint);
    if (isOfAnswering) endpoint.origin.answeringInFlight += 1;
    endpoint.rate.start(now);
    this.pools.add(pool, answeredLately);
    this.busy.note(endpoint);
    return { kind: 'start', attempt };
  }

  private defer(endpoint: Endpoint, obstacle: Obstacle, turn: RateTurn, now: number): Defer {
    const { rate, waiting } = endpoint;
    const delayMs = obstacle === 'rate' ? rate.defer(turn, waiting, now) : this.turns.defer(endpoint, obstacle, now);
    this.known.rest(endpoint);
    return { kind: 'defer', delayMs, obstacle };
  }

  private startWaiting(now: number): Decided[] {
    const decided: Decided[] = [];
    this.nextTurnAt = Infinity;
    while (!this.pools.isUsedUp(true)) {
      const waiting = this.waiting.takeNext((endpoint) => this.mayStart(endpoint, now));
      if (waiting === undefined) break;
      decided.push({ waiting, decision: this.start(waiting.endpoint, now) });
    }
    return decided;
  }

  private mayStart(endpoint: Endpoint, now: number): boolean {
    const obstacle = this.obstacleTo(endpoint, now);
    if (obstacle === 'rate') this.noteRateTurn(endpoint, now);
    return obstacle === undefined;
  }

  private noteRateTurn(endpoint: Endpoint, now: number): void {
    this.nextTurnAt = Math.min(this.nextTurnAt, now + endpoint.rate.gapMs(now));
  }

  private learn({ endpoint, startedAt }: RunningAttempt, outcome: Exclude<Outcome, 'nothing'>, now: number): void {
    if (outcome === 'answered') {
      this.young.learn(now - startedAt);
      endpoint.limit.answer(endpoint.inFlight);
      endpoint.answer(now);
      endpoint.origin.answer(now);
      return;
    }
    if (outcome === 'timed out') endpoint.limit.timeOut();
    endpoint.fail(startedAt, now);
    endpoint.origin.fail(startedAt, now);
  }

  /** It takes too long: its slot is taken from what suspects share, and what comes next is told apart. */
  private suspect(attempt: RunningAttempt): void {
    const { endpoint, startedAt } = attempt;
    this.pools.remove(attempt.pool, attempt.answeredLately);
    attempt.pool = 'suspect';
    attempt.answeredLately = false;
    this.pools.add('suspect', false);
    noLongerAnswering(attempt);
    endpoint.suspect(startedAt);
    endpoint.origin.suspect(startedAt);
    this.busy.note(endpoint);
  }
}

/** It is over, or takes too long. */
function noLongerAnswering(attempt: RunningAttempt): void {
  if (attempt.isOfAnswering) attempt.endpoint.origin.answeringInFlight -= 1;
  attempt.isOfAnswering = false;
}

/** What one that is not in trouble waits for: its origin's limit is as its own. */
function waitsForOf(obstacle: Obstacle): WaitsFor {
  if (obstacle === 'origin') return 'own limit';
  return obstacle === 'own limit' || obstacle === 'rate' ? obstacle : 'total';
}

/** Others of its endpoint come first: they wait in memory, or have booked their turns before. */
function obstacleBefore(endpoint: Endpoint, { bookedMs = 0 }: RateTurn): Obstacle | undefined {
  if (bookedMs > 0) return 'rate';
  if (endpoint.waiting === 0) return undefined;
  return endpoint.rate.isLimited ? 'rate' : 'own limit';
}

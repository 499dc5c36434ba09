import { DEFERRAL_RUNGS_MS, MAX_ADMISSION_WAIT_MS, nextLongerRung } from '@form-webhooks/domain';
import type { BusyEndpoints } from './busy-endpoints.js';
import type { Endpoint } from './endpoint.js';
import type { PolicyLimits } from './policy-limits.js';
import type { PoolName, Pools } from './pools.js';
import type { RateTurn } from './rate-limit.js';
import { EndRate, SHORTEST_DEFERRAL_MS, Surplus } from './rates.js';
import type { WaitsFor } from './waiting-deliveries.js';

/** What keeps an attempt from starting. */
export type Obstacle = 'paced' | 'pool' | 'origin' | WaitsFor;

/** A delivery waits in memory for its endpoint's own limit no longer than this, ms; and at most this part of the slots. */
const MAX_OWN_WAIT_MS = 300;
const MAX_OWN_WAITING = 1 / 4;
/** And for its turn by the highest rate that its owner wants. */
const MAX_RATE_WAIT_MS = MAX_ADMISSION_WAIT_MS;
const MAX_RATE_WAITING = 1 / 2;
/** And for the total as long as a deferral takes at least: to wait is cheaper than to go through the broker. */
const MAX_TOTAL_WAIT_MS = MAX_ADMISSION_WAIT_MS;
/** An endpoint without an answer is asked again after this at the latest, or after as long as it has given none, ms. */
const LONGEST_WITHOUT_ANSWER_MS = 15_000;
/** How much the latest attempt counts in how long a slot is held on average, and what is assumed before there is one, ms. */
const HELD_WEIGHT = 0.02;
const INITIAL_HELD_MS = 100;

/** Estimates when the turn of a delivery comes: whether it waits for it in memory, or for how long it is deferred. */
export class DeferralTurns {
  private readonly ends = { suspect: new EndRate(), unproven: new EndRate(), proven: new EndRate() };
  private readonly ofPool = {
    suspect: new Surplus(),
    unproven: new Surplus(),
    proven: new Surplus(),
  };
  private heldMs = INITIAL_HELD_MS;

  constructor(
    private readonly limits: PolicyLimits,
    private readonly pools: Pools,
    private readonly busy: BusyEndpoints,
  ) {}

  /** An attempt of a pool has ended after so long. */
  ended(pool: PoolName, heldMs: number, now: number): void {
    this.ends[pool].add(now);
    this.heldMs += HELD_WEIGHT * (heldMs - this.heldMs);
  }

  /**
   * How long a delivery may wait for its endpoint's own limit, while so many do so; 0 if that takes too long, ms. Each
   * endpoint may have as many waiting as are left for all others, so that none of them takes all.
   */
  waitForOwnLimit(endpoint: Endpoint, waiting: number, now: number): number {
    if (endpoint.waitingFor['own limit'] >= this.limits.concurrency * MAX_OWN_WAITING - waiting) return 0;
    const turnMs = (endpoint.waiting + 1) / this.ownRate(endpoint, now);
    return turnMs <= MAX_OWN_WAIT_MS ? MAX_OWN_WAIT_MS : 0;
  }

  /** The same for its turn by the highest rate that its owner wants. */
  waitForRate({ rate, waiting, waitingFor }: Endpoint, turn: RateTurn, waitingInAll: number, now: number): number {
    if (waitingFor.rate >= this.limits.concurrency * MAX_RATE_WAITING - waitingInAll) return 0;
    return rate.isNear(turn, waiting, now) ? MAX_RATE_WAIT_MS : 0;
  }

  /** The same for the total. */
  waitForTotal(endpoint: Endpoint, waiting: number): number {
    if (endpoint.waitingFor.total >= this.limits.concurrency - waiting) return 0;
    return (waiting + 1) / this.totalRate() <= MAX_TOTAL_WAIT_MS ? MAX_TOTAL_WAIT_MS : 0;
  }

  /** Counts a delivery as deferred. @returns for how long, ms */
  defer(endpoint: Endpoint, obstacle: Obstacle, now: number): number {
    const ownMs = this.ownTurnMs(endpoint, obstacle, now);
    const turnMs = Math.max(SHORTEST_DEFERRAL_MS, ownMs, this.sharedTurnMs(endpoint.poolAt(now), obstacle, now));
    if (endpoint.isAnswering(now)) return Math.ceil(turnMs);
    const longest = longestRungWithin(Math.max(LONGEST_WITHOUT_ANSWER_MS, endpoint.unansweredMs(now)));
    return Math.min(nextLongerRung(DEFERRAL_RUNGS_MS, turnMs), longest);
  }

  private ownTurnMs(endpoint: Endpoint, obstacle: Obstacle, now: number): number {
    if (obstacle === 'paced') return pacedTurnMs(endpoint, now);
    const perMs = this.busy.limitOfOrigin / Math.max(1, endpoint.latencyMs);
    const originMs = obstacle === 'origin' ? endpoint.origin.surplus.add(now, perMs) : 0;
    return Math.max(originMs, endpoint.surplus.add(now, this.ownRate(endpoint, now)));
  }

  private sharedTurnMs(pool: PoolName, obstacle: Obstacle, now: number): number {
    if (obstacle === 'total') return this.ofPool.proven.add(now, this.totalRate());
    if (obstacle !== 'pool') return 0;
    const least = this.pools.sizeOf(pool) / this.limits.attemptTimeoutMs;
    return this.ofPool[pool].add(now, Math.max(least, this.ends[pool].perMs(now)));
  }

  /** While it gives no answer, the next one is taken to need as long as that lasts, up to the time-out. */
  private ownRate(endpoint: Endpoint, now: number): number {
    const unanswered = Math.min(endpoint.isSuspect ? endpoint.unansweredMs(now) : 0, this.limits.attemptTimeoutMs);
    return this.busy.limitOf(endpoint) / Math.max(1, endpoint.latencyMs, unanswered);
  }

  private totalRate(): number {
    return this.limits.concurrency / Math.max(1, this.heldMs);
  }
}

const pacedTurnMs = (endpoint: Endpoint, now: number): number =>
  Math.max(0, ...endpoint.pacedBy(now).map(({ surplus, pauseMs }) => surplus.add(now, 1 / pauseMs)));

/** Few delays, as thousands of endpoints may be without an answer, and each of their delays is a queue. */
const longestRungWithin = (ms: number): number => Math.max(...DEFERRAL_RUNGS_MS.filter((rung) => rung <= ms));

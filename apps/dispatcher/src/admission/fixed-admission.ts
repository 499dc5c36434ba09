import { MAX_ADMISSION_WAIT_MS, type AttemptResult } from '@form-webhooks/domain';
import { Admission, type Applicant, type Deferral, type Slot } from './admission.js';

export interface AdmissionLimits {
  /** Attempts at a time in all. */
  readonly concurrency: number;
  /** Attempts at a time for one endpoint. */
  readonly endpointMaxInFlight: number;
}

/** A delivery waits in memory for its endpoint's own limit no longer than this, ms. */
const MAX_OWN_WAIT_MS = 300;
/** And for the total as long as a deferral takes at least: to wait is cheaper than to go through the broker. */
const MAX_TOTAL_WAIT_MS = MAX_ADMISSION_WAIT_MS;
const SHORTEST_DEFERRAL_MS = MAX_ADMISSION_WAIT_MS;
/** How much the latest attempt counts in an endpoint's average latency, and in that of all. */
const LATENCY_WEIGHT = 0.2;
const OVERALL_WEIGHT = 0.02;
/** What an endpoint is taken to need before anything is known of it, ms. */
const INITIAL_LATENCY_MS = 100;

/** Endpoints whose latency is remembered while they have nothing to do. */
const MAX_LANES = 10_000;

interface Waiter {
  readonly admit: () => void;
}

class Lane {
  inFlight = 0;
  /** How many of its deliveries are away on a delay, and how many of those because the total was used up. */
  deferred = 0;
  deferredForTotal = 0;
  latencyMs = INITIAL_LATENCY_MS;
  readonly waiters: Waiter[] = [];

  get idle(): boolean {
    return this.inFlight === 0 && this.deferred === 0 && this.waiters.length === 0;
  }
}

/**
 * A fixed number of attempts at a time for each endpoint and in all. What comes beyond waits a moment in memory if it
 * will surely start soon, and is else deferred for about as long as its turn is away. So an endpoint that hangs holds
 * its own limit and nothing more, and a dispatcher that has more to do than it can spends its time on attempts, not on
 * sending the same deliveries round.
 */
export class FixedAdmission extends Admission {
  private readonly lanes = new Map<string, Lane>();
  /** The lanes in which somebody waits, in the order of their turns. */
  private readonly queued = new Set<Lane>();
  private inFlight = 0;
  private waiting = 0;
  private deferredForTotal = 0;
  /** How long an attempt holds its slot on average: what it waits for in this process is part of it. */
  private heldMs = INITIAL_LATENCY_MS;

  constructor(private readonly limits: AdmissionLimits) {
    super();
  }

  /** Attempts in flight now. */
  get size(): number {
    return this.inFlight;
  }

  enter(applicant: Applicant): Promise<Slot | Deferral> {
    const lane = this.laneOf(applicant);
    if (lane.waiters.length === 0 && this.hasRoom(lane)) return Promise.resolve(this.admit(lane));
    if (!this.startsSoon(lane)) return Promise.resolve(this.defer(lane));
    return this.wait(lane, this.isFull(lane) ? MAX_OWN_WAIT_MS : MAX_TOTAL_WAIT_MS);
  }

  private laneOf({ endpointId, deferredBefore }: Applicant): Lane {
    const lane = this.lanes.get(endpointId) ?? this.addLane(endpointId);
    if (deferredBefore) this.comesBack(lane);
    return lane;
  }

  private comesBack(lane: Lane): void {
    // Another dispatcher may have deferred it.
    lane.deferred = Math.max(0, lane.deferred - 1);
    if (lane.deferredForTotal === 0) return;
    lane.deferredForTotal -= 1;
    this.deferredForTotal -= 1;
  }

  private addLane(endpointId: string): Lane {
    if (this.lanes.size >= MAX_LANES) this.forgetAnIdleLane();
    const lane = new Lane();
    this.lanes.set(endpointId, lane);
    return lane;
  }

  /** The oldest one; busy ones are bounded by what is handled at a time. */
  private forgetAnIdleLane(): void {
    for (const [endpointId, lane] of this.lanes) {
      if (!lane.idle) continue;
      this.lanes.delete(endpointId);
      return;
    }
  }

  private hasRoom(lane: Lane): boolean {
    return this.inFlight < this.limits.concurrency && !this.isFull(lane);
  }

  private isFull(lane: Lane): boolean {
    return lane.inFlight >= this.limits.endpointMaxInFlight;
  }

  /**
   * Latency says that it will start in time. For an endpoint's own limit at most a quarter of all slots' number waits;
   * for the total those that will be let in within the time, which the consumers' prefetch bounds.
   */
  private startsSoon(lane: Lane): boolean {
    if (!this.isFull(lane)) return this.turnForTotalMs(this.waiting + 1) <= MAX_TOTAL_WAIT_MS;
    if (this.waiting >= this.limits.concurrency / 4) return false;
    return this.ownTurnMs(lane, lane.waiters.length + 1) + lane.latencyMs <= MAX_OWN_WAIT_MS;
  }

  private ownTurnMs(lane: Lane, ahead: number): number {
    return (ahead * lane.latencyMs) / this.limits.endpointMaxInFlight;
  }

  private turnForTotalMs(ahead: number): number {
    return (ahead * this.heldMs) / this.limits.concurrency;
  }

  private admit(lane: Lane): Slot {
    this.inFlight += 1;
    lane.inFlight += 1;
    const since = performance.now();
    let held = true;
    const leave = (): void => {
      if (!held) throw new Error('a slot is released once');
      held = false;
      this.leave(lane);
    };
    return {
      kind: 'slot',
      giveBack: leave,
      release: (_result: AttemptResult, durationMs: number) => {
        lane.latencyMs += LATENCY_WEIGHT * (durationMs - lane.latencyMs);
        this.heldMs += OVERALL_WEIGHT * (performance.now() - since - this.heldMs);
        leave();
      },
    };
  }

  private leave(lane: Lane): void {
    this.inFlight -= 1;
    lane.inFlight -= 1;
    this.waitingLane()?.waiters[0]!.admit();
  }

  /** The one that was let in longest ago. */
  private waitingLane(): Lane | undefined {
    for (const lane of this.queued) {
      if (this.hasRoom(lane)) return lane;
    }
    return undefined;
  }

  private wait(lane: Lane, atMostMs: number): Promise<Slot | Deferral> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        admit: () => {
          clearTimeout(timer);
          this.stopWaiting(lane, waiter);
          resolve(this.admit(lane));
        },
      };
      const timer = setTimeout(() => {
        this.stopWaiting(lane, waiter);
        resolve(this.defer(lane));
      }, atMostMs);
      this.waiting += 1;
      lane.waiters.push(waiter);
      this.queued.add(lane);
    });
  }

  private stopWaiting(lane: Lane, waiter: Waiter): void {
    this.waiting -= 1;
    lane.waiters.splice(lane.waiters.indexOf(waiter), 1);
    // To the end of the line.
    this.queued.delete(lane);
    if (lane.waiters.length > 0) this.queued.add(lane);
  }

  private defer(lane: Lane): Deferral {
    lane.deferred += 1;
    const turnMs = this.isFull(lane) ? 0 : this.deferForTotal(lane);
    const delayMs = Math.max(SHORTEST_DEFERRAL_MS, turnMs, this.ownTurnMs(lane, lane.deferred));
    return { kind: 'deferral', delayMs: Math.ceil(delayMs) };
  }

  private deferForTotal(lane: Lane): number {
    lane.deferredForTotal += 1;
    this.deferredForTotal += 1;
    return this.turnForTotalMs(this.deferredForTotal);
  }
}

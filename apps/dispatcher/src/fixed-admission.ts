import type { AttemptResult } from '@form-webhooks/domain';
import { Admission, type Applicant, type Deferral, type Slot } from './admission.js';

export interface AdmissionLimits {
  /** Attempts at a time in all. */
  readonly concurrency: number;
  /** Attempts at a time for one endpoint. */
  readonly endpointMaxInFlight: number;
}

/** A delivery waits in memory no longer than this, ms. */
const MAX_WAIT_MS = 300;
const SHORTEST_DEFERRAL_MS = 1_000;
/** How much the latest attempt counts in an endpoint's average latency. */
const LATENCY_WEIGHT = 0.2;
/** What an endpoint is taken to need before anything is known of it, ms. */
const INITIAL_LATENCY_MS = 100;

/** Endpoints whose latency is remembered while they have nothing to do. */
const MAX_LANES = 10_000;

interface Waiter {
  readonly admit: () => void;
}

class Lane {
  inFlight = 0;
  deferred = 0;
  latencyMs = INITIAL_LATENCY_MS;
  readonly waiters: Waiter[] = [];

  get idle(): boolean {
    return this.inFlight === 0 && this.deferred === 0 && this.waiters.length === 0;
  }
}

/**
 * A fixed number of attempts at a time for each endpoint and in all. What comes beyond waits a moment in memory if it
 * will surely start soon, and is else deferred for about as long as its turn is away. So an endpoint that hangs holds
 * its own limit and nothing more.
 */
export class FixedAdmission extends Admission {
  private readonly lanes = new Map<string, Lane>();
  /** The lanes in which somebody waits, in the order in which they began to. */
  private readonly queued = new Set<Lane>();
  private inFlight = 0;
  private waiting = 0;

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
    return this.wait(lane);
  }

  private laneOf({ endpointId, deferredBefore }: Applicant): Lane {
    const lane = this.lanes.get(endpointId) ?? this.addLane(endpointId);
    if (deferredBefore) lane.deferred = Math.max(0, lane.deferred - 1);
    return lane;
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
    return this.inFlight < this.limits.concurrency && lane.inFlight < this.limits.endpointMaxInFlight;
  }

  /** Latency says that the limit lets it start in time, and at most a quarter of all slots' number waits. */
  private startsSoon(lane: Lane): boolean {
    if (this.waiting >= this.limits.concurrency / 4) return false;
    const turnMs = ((lane.waiters.length + 1) * lane.latencyMs) / this.limits.endpointMaxInFlight;
    return turnMs + lane.latencyMs <= MAX_WAIT_MS;
  }

  private admit(lane: Lane): Slot {
    this.inFlight += 1;
    lane.inFlight += 1;
    let held = true;
    return {
      kind: 'slot',
      release: (_result: AttemptResult, durationMs: number) => {
        if (!held) throw new Error('a slot is released once');
        held = false;
        lane.latencyMs += LATENCY_WEIGHT * (durationMs - lane.latencyMs);
        this.leave(lane);
      },
    };
  }

  private leave(lane: Lane): void {
    this.inFlight -= 1;
    lane.inFlight -= 1;
    this.admitNext(lane);
  }

  /** The lane that freed a slot goes on first; else any lane that waited for the total. */
  private admitNext(lane: Lane): void {
    const next = lane.waiters.length > 0 && this.hasRoom(lane) ? lane : this.waitingLane();
    next?.waiters[0]?.admit();
  }

  private waitingLane(): Lane | undefined {
    for (const lane of this.queued) {
      if (this.hasRoom(lane)) return lane;
    }
    return undefined;
  }

  private wait(lane: Lane): Promise<Slot | Deferral> {
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
      }, MAX_WAIT_MS);
      this.waiting += 1;
      lane.waiters.push(waiter);
      this.queued.add(lane);
    });
  }

  private stopWaiting(lane: Lane, waiter: Waiter): void {
    this.waiting -= 1;
    lane.waiters.splice(lane.waiters.indexOf(waiter), 1);
    if (lane.waiters.length === 0) this.queued.delete(lane);
  }

  private defer(lane: Lane): Deferral {
    lane.deferred += 1;
    const turnMs = (lane.deferred * lane.latencyMs) / this.limits.endpointMaxInFlight;
    return { kind: 'deferral', delayMs: Math.max(SHORTEST_DEFERRAL_MS, Math.ceil(turnMs)) };
  }
}

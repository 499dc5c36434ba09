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
    if (lane.waiters.length === 0 && this.hasRoom(lane)) return Promise.resolve(this.admit(applicant.endpointId, lane));
    if (!this.startsSoon(lane)) return Promise.resolve(this.defer(lane));
    return this.wait(applicant.endpointId, lane);
  }

  private laneOf({ endpointId, deferredBefore }: Applicant): Lane {
    const lane = this.lanes.get(endpointId) ?? new Lane();
    this.lanes.set(endpointId, lane);
    if (deferredBefore) lane.deferred = Math.max(0, lane.deferred - 1);
    return lane;
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

  private admit(endpointId: string, lane: Lane): Slot {
    this.inFlight += 1;
    lane.inFlight += 1;
    let held = true;
    return {
      kind: 'slot',
      release: (_result: AttemptResult, durationMs: number) => {
        if (!held) throw new Error('a slot is released once');
        held = false;
        lane.latencyMs += LATENCY_WEIGHT * (durationMs - lane.latencyMs);
        this.leave(endpointId, lane);
      },
    };
  }

  private leave(endpointId: string, lane: Lane): void {
    this.inFlight -= 1;
    lane.inFlight -= 1;
    this.admitNext(lane);
    if (lane.idle) this.lanes.delete(endpointId);
  }

  /** The lane that freed a slot goes on first; else any lane that waited for the total. */
  private admitNext(lane: Lane): void {
    if (this.waiting === 0) return;
    const next = lane.waiters.length > 0 && this.hasRoom(lane) ? lane : this.waitingLane();
    next?.waiters.shift()?.admit();
  }

  private waitingLane(): Lane | undefined {
    for (const lane of this.lanes.values()) {
      if (lane.waiters.length > 0 && this.hasRoom(lane)) return lane;
    }
    return undefined;
  }

  private wait(endpointId: string, lane: Lane): Promise<Slot | Deferral> {
    this.waiting += 1;
    return new Promise((resolve) => {
      const waiter: Waiter = {
        admit: () => {
          clearTimeout(timer);
          this.waiting -= 1;
          resolve(this.admit(endpointId, lane));
        },
      };
      const timer = setTimeout(() => {
        this.waiting -= 1;
        lane.waiters.splice(lane.waiters.indexOf(waiter), 1);
        resolve(this.defer(lane));
      }, MAX_WAIT_MS);
      lane.waiters.push(waiter);
    });
  }

  private defer(lane: Lane): Deferral {
    lane.deferred += 1;
    const turnMs = (lane.deferred * lane.latencyMs) / this.limits.endpointMaxInFlight;
    return { kind: 'deferral', delayMs: Math.max(SHORTEST_DEFERRAL_MS, Math.ceil(turnMs)) };
  }
}

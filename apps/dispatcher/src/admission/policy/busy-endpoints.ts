import type { Endpoint, Origin } from './endpoint.js';
import type { Pools } from './pools.js';

/** The part of all slots that busy endpoints share which are not suspect; each of them may have so many in any case. */
const UNSUSPECTED = 3 / 4;
const LEAST_SHARE = 4;
/**
 * The part of all slots that those endpoints of one origin may have together that answer, and again those that don't: some
 * hosts have those of thousands, and what hangs there must not keep its siblings from theirs.
 */
const ONE_ORIGIN = 1 / 2;

/** Counts the endpoints that have attempts in flight, and says how many each may have. */
export class BusyEndpoints {
  /** How many attempts the endpoints of one origin that answer may have in flight, and as many those that don't. */
  readonly limitOfOrigin: number;
  private readonly counts = { suspect: 0, unsuspected: 0 };

  constructor(
    private readonly concurrency: number,
    endpointMaxInFlight: number,
    private readonly pools: Pools,
  ) {
    this.limitOfOrigin = Math.max(endpointMaxInFlight, Math.floor(concurrency * ONE_ORIGIN));
  }

  /** Endpoints with attempts in flight that are suspect. */
  get suspects(): number {
    return this.counts.suspect;
  }

  /** The endpoints of an origin that answer, or those that don't, have as many attempts in flight as they may. */
  isFull({ inFlight, answeringInFlight }: Origin, isAnswering: boolean): boolean {
    return (isAnswering ? answeringInFlight : inFlight - answeringInFlight) >= this.limitOfOrigin;
  }

  /** To be called when an endpoint's attempts in flight, or whether it is suspect, have changed. */
  note(endpoint: Endpoint): void {
    if (endpoint.busyAs !== undefined) this.counts[endpoint.busyAs] -= 1;
    if (endpoint.inFlight === 0) endpoint.busyAs = undefined;
    else endpoint.busyAs = endpoint.isSuspectAnyhow ? 'suspect' : 'unsuspected';
    if (endpoint.busyAs !== undefined) this.counts[endpoint.busyAs] += 1;
  }

  /** How many attempts an endpoint may have in flight now: its own limit, under contention its fair share. */
  limitOf(endpoint: Endpoint): number {
    const own = endpoint.limit.size;
    if (endpoint.isSuspectAnyhow) return Math.min(own, share(this.pools.sizeOf('suspect'), this.counts.suspect));
    if (!this.pools.isContended) return own;
    const fair = share(this.concurrency * UNSUSPECTED, this.counts.unsuspected);
    return Math.min(own, Math.max(LEAST_SHARE, fair));
  }
}

const share = (slots: number, endpoints: number): number => Math.max(1, Math.floor(slots / Math.max(1, endpoints)));

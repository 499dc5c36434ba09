import { LRUCache } from 'lru-cache';
import type { Outcome } from '../policy/admission-policy.js';

const MIB = 1024 * 1024;
/** Of all attempts of this process at a time. */
const PROCESS_BYTES = 20 * MIB;
/** To one origin at a time: at first, and at most. At least one body always may. */
const FIRST_ORIGIN_BYTES = 4 * MIB;
const MOST_ORIGIN_BYTES = 16 * MIB;
const REMEMBERED_ORIGINS = 10_000;

/** A large body that is being sent. */
export interface BodyShare {
  readonly origin: string;
  readonly bytes: number;
}

/** What keeps a body from being sent now. */
export type BodyObstacle = 'origin' | 'process';

/**
 * The bytes of the large bodies that are being sent, in all and to each origin. A receiver that reads slowly would get
 * all of them at once, none in time, and all again: so an origin may have half as many at a time after a time-out, and
 * more again with each answer.
 */
export class BodyBytes {
  private inAll = 0;
  private readonly held = new Map<string, number>();
  private readonly limits = new LRUCache<string, number>({ max: REMEMBERED_ORIGINS });

  /** Being sent now. */
  get size(): number {
    return this.inAll;
  }

  obstacleTo({ origin, bytes }: BodyShare): BodyObstacle | undefined {
    const held = this.held.get(origin) ?? 0;
    if (held > 0 && held + bytes > this.limitOf(origin)) return 'origin';
    return this.inAll > 0 && this.inAll + bytes > PROCESS_BYTES ? 'process' : undefined;
  }

  add({ origin, bytes }: BodyShare): void {
    this.inAll += bytes;
    this.held.set(origin, (this.held.get(origin) ?? 0) + bytes);
  }

  remove({ origin, bytes }: BodyShare, outcome: Outcome): void {
    const held = this.held.get(origin)!;
    this.inAll -= bytes;
    if (held === bytes) this.held.delete(origin);
    else this.held.set(origin, held - bytes);
    if (outcome === 'timed out') this.limits.set(origin, Math.min(this.limitOf(origin), held) / 2);
    if (outcome === 'answered') this.limits.set(origin, Math.min(MOST_ORIGIN_BYTES, this.limitOf(origin) + bytes));
  }

  private limitOf(origin: string): number {
    return this.limits.get(origin) ?? FIRST_ORIGIN_BYTES;
  }
}

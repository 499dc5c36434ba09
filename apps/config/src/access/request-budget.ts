import { Injectable } from '@nestjs/common';
import { networkOf, type Problem } from '@form-webhooks/http-edge';
import { busy } from '../http/problems.js';
import { AccessSettings } from './access-settings.js';
import type { CallerIdentity } from './caller-identity.js';
import { RateLimiter } from '../rate-limits/rate-limiter.js';

const MINUTE_SECONDS = 60;
/**
 * Addresses whose guesses are counted at a time, a short transaction each. Whoever has a network of IPv6 has some 65,000
 * addresses to this count, and those in front of the database would keep everybody else waiting.
 */
const MAX_GUESSING = 100;

/** 0 seconds, or how long to wait and whose budget is used up. */
export interface BudgetWait {
  readonly seconds: number;
  readonly of: 'credential' | 'workspace';
}

/** How much one credential and one workspace may ask, and how often one address may present a wrong one. */
@Injectable()
export class RequestBudget {
  /** How many guesses of an address are being counted. */
  private readonly guessing = new Map<string, number>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: AccessSettings,
  ) {}

  /** Takes a request of the caller's own budget and of its workspace's. */
  async takeRequest(caller: CallerIdentity): Promise<BudgetWait> {
    const own = `requests:${caller.workspaceId ?? ''}:${caller.actor}`;
    const seconds = await this.limiter.take(own, perMinute(this.settings.requestsPerMinute));
    if (seconds > 0 || caller.workspaceId === null) return { seconds, of: 'credential' };
    const limit = perMinute(this.settings.workspaceRequestsPerMinute);
    const workspaceSeconds = await this.limiter.take(`workspace:${caller.workspaceId}`, limit);
    if (workspaceSeconds > 0) this.limiter.giveBack(own);
    return { seconds: workspaceSeconds, of: 'workspace' };
  }

  /**
   * Takes the right to present a credential that may be wrong, before it is looked up: any number at the same moment
   * get no more look-ups than failures are allowed. @returns 0, or the seconds to wait
   * @throws Problem 503 if those of too many other addresses are being counted
   */
  async takeGuess(ip: string): Promise<number> {
    const bucket = bucketOf(ip);
    const own = this.guessing.get(bucket) ?? 0;
    if (own === 0 && this.guessing.size >= MAX_GUESSING) throw tooManyStrangers();
    this.guessing.set(bucket, own + 1);
    try {
      return await this.limiter.take(bucket, perMinute(this.settings.failedAuthenticationsPerMinute));
    } finally {
      const left = this.guessing.get(bucket)! - 1;
      if (left === 0) this.guessing.delete(bucket);
      else this.guessing.set(bucket, left);
    }
  }

  /** It was no wrong one. */
  giveBackGuess(ip: string): void {
    this.limiter.giveBack(bucketOf(ip));
  }
}

const tooManyStrangers = (): Problem =>
  busy('Too many credentials that were not seen lately are being checked; try again in a moment.');

const bucketOf = (ip: string): string => `failures:${networkOf(ip)}`;

const perMinute = (capacity: number) => ({ capacity, periodSeconds: MINUTE_SECONDS });

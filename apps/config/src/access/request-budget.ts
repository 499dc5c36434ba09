import { Injectable } from '@nestjs/common';
import { networkOf } from '@form-webhooks/http-edge';
import { AccessSettings } from './access-settings.js';
import type { CallerIdentity } from './caller-identity.js';
import { RateLimiter } from '../rate-limits/rate-limiter.js';

const MINUTE_SECONDS = 60;

/** 0 seconds, or how long to wait and whose budget is used up. */
export interface BudgetWait {
  readonly seconds: number;
  readonly of: 'credential' | 'workspace';
}

/** How much one credential and one workspace may ask, and how often one address may present a wrong one. */
@Injectable()
export class RequestBudget {
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
   */
  takeGuess(ip: string): Promise<number> {
    return this.limiter.take(bucketOf(ip), perMinute(this.settings.failedAuthenticationsPerMinute));
  }

  /** It was no wrong one. */
  giveBackGuess(ip: string): void {
    this.limiter.giveBack(bucketOf(ip));
  }
}

const bucketOf = (ip: string): string => `failures:${networkOf(ip)}`;

const perMinute = (capacity: number) => ({ capacity, periodSeconds: MINUTE_SECONDS });

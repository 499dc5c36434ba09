import { Injectable } from '@nestjs/common';
import { networkOf } from '@form-webhooks/http-edge';
import { AccessSettings } from './access-settings.js';
import type { CallerIdentity } from './caller-identity.js';
import { RateLimiter } from '../rate-limits/rate-limiter.js';

const MINUTE_SECONDS = 60;

/** How much one credential may ask, and how often one address may present a wrong one. */
@Injectable()
export class RequestBudget {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: AccessSettings,
  ) {}

  /** @returns 0, or the seconds to wait */
  takeRequest(caller: CallerIdentity): Promise<number> {
    return this.limiter.take(
      `requests:${caller.workspaceId ?? ''}:${caller.actor}`,
      perMinute(this.settings.requestsPerMinute),
    );
  }

  /** Counts a failure only; a right credential works from a noisy address too. */
  takeFailure(ip: string): Promise<number> {
    return this.limiter.take(`failures:${networkOf(ip)}`, perMinute(this.settings.failedAuthenticationsPerMinute));
  }
}

const perMinute = (capacity: number) => ({ capacity, periodSeconds: MINUTE_SECONDS });

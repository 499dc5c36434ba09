import { isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import { AccessSettings } from './access-settings.js';
import type { CallerIdentity } from './caller-identity.js';
import { RateLimiter } from './rate-limiter.js';

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

/** One household or host has a whole IPv6 /64: counting single addresses would count nothing. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  if (tail !== undefined) while (groups.length + rest.length < 8) groups.push('0');
  return `${[...groups, ...rest].slice(0, 4).join(':')}::/64`;
}

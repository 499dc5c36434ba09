import type { AttemptTimings } from '@form-webhooks/domain';

/** When a connection was begun and each step of making it had ended, by `performance.now()`; undefined for what was not. */
export interface ConnectionTimes {
  readonly openedAt: number;
  lookedUpAt?: number;
  connectedAt?: number;
  securedAt?: number;
}

/**
 * What the parts of an exchange took.
 * @param startedAt when it began, by `performance.now()` as all others
 * @param times of the connection that was made for it; undefined if it used one that was open
 */
export function timingsOf(
  startedAt: number,
  times: ConnectionTimes | undefined,
  firstByteAt: number | undefined,
): AttemptTimings {
  const { lookedUpAt, connectedAt, securedAt } = times ?? {};
  return {
    dnsMs: between(startedAt, lookedUpAt),
    connectMs: between(lookedUpAt ?? startedAt, connectedAt),
    tlsMs: between(connectedAt, securedAt),
    firstByteMs: between(securedAt ?? startedAt, firstByteAt),
  };
}

const between = (from: number | undefined, to: number | undefined): number | null =>
  from === undefined || to === undefined ? null : Math.max(0, Math.round(to - from));

import type { AttemptTimings } from '@form-webhooks/domain';
import type { Socket } from 'node:net';

/** When a connection was begun and each step of making it had ended, by `performance.now()`; undefined for what was not. */
export interface ConnectionTimes {
  readonly openedAt: number;
  lookedUpAt?: number;
  connectedAt?: number;
  securedAt?: number;
}

/** Notes the steps that a connection still has before it. One that is used again has none, and costs nothing. */
export function noteSteps(socket: Socket, times: ConnectionTimes): void {
  if (socket.connecting) {
    // With several addresses it is told of each.
    socket.once('lookup', () => (times.lookedUpAt = performance.now()));
    socket.once('connect', () => (times.connectedAt = performance.now()));
  }
  socket.once('secureConnect', () => (times.securedAt = performance.now()));
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

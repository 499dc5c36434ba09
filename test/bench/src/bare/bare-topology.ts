import type { Options } from 'amqplib';

/*
 * The yardstick: the least code that keeps an accepted event. One hop, each step confirmed before the one before it is
 * given up. It has no retries, no policy, no secrets in a database, no API.
 */

export const BARE_EVENTS = 'bare.events';
export const BARE_LOG = 'bare.log';
export const QUORUM: Options.AssertQueue = { durable: true, arguments: { 'x-queue-type': 'quorum' } };

/** What one attempt was, for the log. */
export interface BareRecord {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly path: string;
  readonly status: number;
  readonly excerpt: string;
  readonly durationMs: number;
  readonly at: number;
  readonly body: string;
}

/** A setting of a bare process. @throws Error if it is missing */
export function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
}

import type { Destination } from '../destinations.js';

/**
 * What can become of a publish that was taken up. `no_turn` was never sent: others without a confirm were before it for
 * too long, which says nothing of its queue.
 */
export const PUBLISH_FAILURES = ['unroutable', 'nacked', 'timeout', 'no_turn', 'disconnected'] as const;
/** `blocked` was not taken up: in an alarm nothing is, as without a connection (`disconnected`). */
export type PublishFailure = (typeof PUBLISH_FAILURES)[number] | 'blocked';

/**
 * The broker did not take a message for certain. `unroutable`, `nacked`, `blocked` and `no_turn` mean that it has not;
 * `timeout` and `disconnected` leave it open, so whoever publishes again must tolerate a second copy.
 */
export class PublishFailed extends Error {
  override readonly name = 'PublishFailed';
  constructor(
    readonly code: PublishFailure,
    to: Destination,
  ) {
    super(`publish to ${to.exchange || 'queue'} ${to.routingKey} failed: ${code}`);
  }

  /** The broker answered that no queue took it: it is gone, or on a node that is away. */
  get isRefusal(): boolean {
    return this.code === 'unroutable' || this.code === 'nacked';
  }
}

import { rfc3339 } from '@form-webhooks/domain';
import { HeaderReader, type Headers } from './headers.js';
import { SCHEMA_VERSION } from './schema-version.js';

/**
 * A mark that the reconciler sends through a queue: whoever takes it out tells the log of it. Everything that was in the
 * queue before it has been taken by then. It has no body.
 */
export interface FenceMessage {
  readonly fenceId: string;
  /** The queue that it was sent to. */
  readonly queue: string;
  /** ms since the epoch. */
  readonly sentAt: number;
}

const FENCE_ID_PATTERN = /^rec_[A-Za-z0-9_-]{1,60}$/;
const QUEUE_PATTERN = /^[a-z][a-z0-9.-]{1,100}$/;

const NO_BODY = Buffer.alloc(0);

/** A message with this fence, for one of the queues of events or deliveries. */
export const fenceMessage = (fence: FenceMessage) => ({ headers: fenceHeaders(fence), body: NO_BODY });

export function fenceHeaders(fence: FenceMessage): Record<string, string | number> {
  return {
    schema_version: SCHEMA_VERSION,
    fence_id: fence.fenceId,
    fence_queue: fence.queue,
    sent_at: rfc3339(fence.sentAt),
  };
}

/** Whether a message of a delivery queue is a fence and no delivery. */
export const isFence = (headers: Headers): boolean => headers['fence_id'] !== undefined;

/** @throws UnreadableMessage */
export function readFenceMessage(headers: Headers): FenceMessage {
  const read = new HeaderReader(headers);
  return {
    fenceId: read.matching('fence_id', FENCE_ID_PATTERN),
    queue: read.matching('fence_queue', QUEUE_PATTERN),
    sentAt: read.moment('sent_at'),
  };
}

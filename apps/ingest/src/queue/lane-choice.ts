import { createHash } from 'node:crypto';
import { bulkLaneFor, LARGE_EVENT_BYTES, type EventLane } from '@form-webhooks/broker';
import type { EventMessage } from '@form-webhooks/messages';
import { TokenBuckets, type Rate } from '../access/token-buckets.js';

/** Forms whose rate is known; of one that is forgotten the next event finds a full bucket. */
const MAX_FORMS = 20_000;

/** Chooses the lane by which an event travels to the dispatchers. */
export abstract class LaneChoice {
  abstract laneOf(message: Pick<EventMessage, 'formId' | 'tail'>): EventLane;
}

/**
 * What a form sends beyond its rate takes a bulk lane, always the same one of a form, so that it waits behind its own
 * and not before everybody's. Each ingest counts for itself: with several, a form's rate is as many times as high.
 */
export class LaneByRate extends LaneChoice {
  private readonly forms: TokenBuckets;

  /** @param elapsed milliseconds that never step back */
  constructor(rate: Rate, elapsed: () => number) {
    super();
    this.forms = new TokenBuckets(rate, elapsed, MAX_FORMS);
  }

  override laneOf({ formId, tail }: Pick<EventMessage, 'formId' | 'tail'>): EventLane {
    if (tail.length > LARGE_EVENT_BYTES) return 'large';
    return this.forms.take(formId) === 0 ? 'normal' : bulkLaneFor(hashOf(formId));
  }
}

const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

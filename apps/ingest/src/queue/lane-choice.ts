import { createHash } from 'node:crypto';
import { BULK_PREFETCH, bulkLanesFor, isLarge, type EventLane } from '@form-webhooks/broker';
import type { EventMessage } from '@form-webhooks/messages';
import { LRUCache } from 'lru-cache';
import { TokenBuckets, type Rate } from '../access/token-buckets.js';

/** Forms whose rate is known; of one that is forgotten the next event finds a full bucket. */
const MAX_FORMS = 20_000;
/** A form keeps its bulk lane until it has sent nothing beyond its rate for so long, ms. */
const KEEPS_LANE_MS = 600_000;
/** A lane in which as many wait is used by somebody: as many as a dispatcher takes at a time. */
const LONG_LANE = BULK_PREFETCH;
/** Whose share of a long lane is less than one in so many waits behind others, and takes another lane. */
const OTHERS_LANE = 10;

/** The bulk lane of a form: when it was used last, and by how many events since the form took it. */
interface TakenLane {
  readonly lane: EventLane;
  readonly at: number;
  readonly sent: number;
}

/** Chooses the lane by which an event travels to the dispatchers. */
export abstract class LaneChoice {
  abstract laneOf(message: Pick<EventMessage, 'formId' | 'tail'>): EventLane;
}

/**
 * What a form sends beyond its rate takes a bulk lane, always the same one of a form, so that it waits behind its own
 * and not before everybody's. Where a lane is long of others' events, as behind the surplus of a slow endpoint, a form
 * takes another. Each ingest counts for itself: with several, a form's rate is as many times as high.
 */
export class LaneByRate extends LaneChoice {
  private readonly forms: TokenBuckets;
  private readonly lanes = new LRUCache<string, TakenLane>({ max: MAX_FORMS });

  /**
   * @param elapsed milliseconds that never step back
   * @param lengthOf how many events wait in a lane, about
   */
  constructor(
    rate: Rate,
    private readonly elapsed: () => number,
    private readonly lengthOf: (lane: EventLane) => number,
  ) {
    super();
    this.forms = new TokenBuckets(rate, elapsed, MAX_FORMS);
  }

  override laneOf({ formId, tail }: Pick<EventMessage, 'formId' | 'tail'>): EventLane {
    if (isLarge(tail.length)) return 'large';
    return this.forms.take(formId) === 0 ? 'normal' : this.bulkLaneOf(formId);
  }

  private bulkLaneOf(formId: string): EventLane {
    const at = this.elapsed();
    const known = this.lanes.get(formId);
    const taken = known && this.mayKeep(known, at) ? known : { lane: this.shortLaneFor(formId), sent: 0 };
    this.lanes.set(formId, { lane: taken.lane, at, sent: taken.sent + 1 });
    return taken.lane;
  }

  private mayKeep({ lane, at, sent }: TakenLane, now: number): boolean {
    const length = this.lengthOf(lane);
    return now - at < KEEPS_LANE_MS && (length < LONG_LANE || OTHERS_LANE * sent >= length);
  }

  /** The first that is not long; else the shortest. In an order by the form's id, or several ingests would use them all. */
  private shortLaneFor(formId: string): EventLane {
    const lanes = bulkLanesFor(hashOf(formId));
    const free = lanes.find((lane) => this.lengthOf(lane) < LONG_LANE);
    return free ?? lanes.reduce((least, lane) => (this.lengthOf(lane) < this.lengthOf(least) ? lane : least));
  }
}

const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

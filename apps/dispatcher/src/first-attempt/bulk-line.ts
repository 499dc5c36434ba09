import { BULK_PREFETCH } from '@form-webhooks/broker';
import { LatestUsers } from '../admission/latest-users.js';

/** Nothing waits for longer, ms. Two hundred at a second each, the most that one takes that is not suspect, need less. */
const MAX_WAIT_MS = 300_000;
/** So many wait of a lane that several use, of what a dispatcher takes of it: the rest is for who comes next. */
const MAX_SHARED = BULK_PREFETCH / 2;
/** For so long after its latest delivery somebody counts as one of those who use a lane, ms. */
const USES_FOR_MS = 10_000;
/** Of all that waits: at most a quarter of what a dispatcher may hold, so that waiting holds nobody else up. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Of hundreds of endpoints without room so many are looked at for each turn; the others next time. */
const LOOKS = 32;

/** A first attempt of what a form sends beyond its share. */
export interface BulkDelivery {
  readonly endpointId: string;
  /** The queue by which its event came. */
  readonly lane: string;
  readonly bytes: number;
}

/** How many attempts endpoints can take. */
export abstract class EndpointRoom {
  /**
   * How many more attempts of an endpoint may begin now; Infinity where waiting is of no use, since it is in trouble and
   * whoever asks is put off.
   */
  abstract roomOf(endpointId: string): number;
  /** Calls `listener` each time that an attempt has ended. */
  abstract onFreed(listener: () => void): void;
}

interface Waiting<T> extends BulkDelivery {
  readonly begin: T;
  readonly since: number;
}

/** What waits of a lane, by endpoint. */
interface Lane {
  readonly waiting: Map<string, number>;
  readonly users: LatestUsers;
  count: number;
}

/**
 * What one endpoint has too much of in a bulk lane waits here until the endpoint has room: its events are not
 * acknowledged, so that the dispatcher takes no more of that lane and the rest waits in the queue. To put it off instead
 * costs a publish, a record and an ack each time, and it comes back when a delay says so and not when there is room.
 * Endpoints take turns. While several use a lane, those that wait share half of it, and what one has beyond its share may
 * begin, which means that it is put off: else the others' events would stay behind it in the queue.
 *
 * It has no clock: each call is told the time in ms.
 */
export class BulkLine<T> {
  private readonly byEndpoint = new Map<string, Waiting<T>[]>();
  private readonly lanes = new Map<string, Lane>();
  /** Those that may begin and have not asked for their slot yet, by endpoint. */
  private readonly begun = new Map<string, number>();
  private count = 0;
  private bytes = 0;
  private ending = false;

  constructor(private readonly room: Pick<EndpointRoom, 'roomOf'>) {}

  get size(): number {
    return this.count;
  }

  add(delivery: BulkDelivery, begin: T, now: number): void {
    const { endpointId, bytes } = delivery;
    this.noteUse(delivery, now);
    const waiting = { ...delivery, begin, since: now };
    const others = this.byEndpoint.get(endpointId);
    if (others) others.push(waiting);
    else this.byEndpoint.set(endpointId, [waiting]);
    this.count += 1;
    this.bytes += bytes;
  }

  /** Takes out one that may begin now. `asked` is to be called for it later. */
  takeNext(now: number): T | undefined {
    for (let looks = Math.min(LOOKS, this.byEndpoint.size); looks > 0; looks--) {
      const [endpointId, waiting] = this.byEndpoint.entries().next().value!;
      // To the end, whether it may begin or not.
      this.byEndpoint.delete(endpointId);
      const first = waiting[0]!;
      const mayBegin = this.mayBegin(first, now);
      if (mayBegin) waiting.shift();
      if (waiting.length > 0) this.byEndpoint.set(endpointId, waiting);
      if (!mayBegin) continue;
      this.leave(first);
      this.begun.set(endpointId, (this.begun.get(endpointId) ?? 0) + 1);
      return first.begin;
    }
    return undefined;
  }

  /** One that was taken out has asked for its slot, or needs none. */
  asked(endpointId: string): void {
    const begun = this.begun.get(endpointId)! - 1;
    if (begun > 0) this.begun.set(endpointId, begun);
    else this.begun.delete(endpointId);
  }

  /** From now on nothing waits for room: what does is put off, and safe in a queue before the process ends. */
  end(): void {
    this.ending = true;
  }

  private mayBegin({ endpointId, lane, since }: Waiting<T>, now: number): boolean {
    if (this.ending || now - since >= MAX_WAIT_MS || this.bytes > MAX_BYTES) return true;
    if (exceedsShare(this.lanes.get(lane)!, endpointId, now)) return true;
    return this.room.roomOf(endpointId) > (this.begun.get(endpointId) ?? 0);
  }

  private noteUse({ lane: name, endpointId }: BulkDelivery, now: number): void {
    const lane = this.lanes.get(name) ?? { waiting: new Map<string, number>(), users: new LatestUsers(), count: 0 };
    this.lanes.set(name, lane);
    lane.users.note(endpointId, now);
    lane.waiting.set(endpointId, (lane.waiting.get(endpointId) ?? 0) + 1);
    lane.count += 1;
  }

  private leave({ lane: name, endpointId, bytes }: BulkDelivery): void {
    this.count -= 1;
    this.bytes -= bytes;
    const lane = this.lanes.get(name)!;
    lane.count -= 1;
    const waiting = lane.waiting.get(endpointId)! - 1;
    if (waiting > 0) lane.waiting.set(endpointId, waiting);
    else lane.waiting.delete(endpointId);
  }
}

/** Whether several use a lane, too much of it waits, and this endpoint has more than its share of that. */
function exceedsShare({ waiting, users, count }: Lane, endpointId: string, now: number): boolean {
  if (count <= MAX_SHARED || waiting.get(endpointId)! * waiting.size <= MAX_SHARED) return false;
  return users.hasOthers(endpointId, USES_FOR_MS, now);
}

import { KnownCopies, PublishFailed, TO_EVENTS, toLane, type SafePublisher } from '@form-webhooks/broker';
import type { EventId } from '@form-webhooks/domain';
import { eventHeaders, type EventMessage } from '@form-webhooks/messages';
import { LRUCache } from 'lru-cache';
import { EventQueue } from '../accept/accept-event.js';
import type { LaneChoice } from './lane-choice.js';

/** How many events are remembered whose confirm came when nobody waited for it any more, and for how long, ms. */
const MAX_CONFIRMED_LATE = 10_000;
const CONFIRMED_LATE_MS = 600_000;

/**
 * Hands accepted events to the dispatchers. Whoever was told that an event is not confirmed sends it again. Two copies
 * of it would be fanned out twice, and by two dispatchers attempted twice. So the same event sent again waits for the
 * copy that is under way, or is answered by the confirm that came late.
 */
export class BrokerEventQueue extends EventQueue {
  private readonly confirmedLate = new LRUCache<EventId, true>({ max: MAX_CONFIRMED_LATE, ttl: CONFIRMED_LATE_MS });
  private readonly copies = new KnownCopies<EventId>((eventId) => this.confirmedLate.set(eventId, true));

  /** @param confirmTimeoutMs how long a caller waits */
  constructor(
    private readonly publisher: Pick<SafePublisher, 'available' | 'publishPatiently'>,
    private readonly confirmTimeoutMs: number,
    private readonly lanes: LaneChoice,
  ) {
    super();
  }

  /** For a new connection: the broker behind it may have lost what the one before confirmed. */
  forgetConfirms(): void {
    this.confirmedLate.clear();
  }

  override async publish(message: EventMessage): Promise<void> {
    const { eventId, tail } = message;
    // Once: an event that is sent again later may mean that somebody lost it.
    if (this.confirmedLate.delete(eventId)) return;
    // Until an alarm is over no confirm comes, and who waits for one takes a place from others.
    if (this.copies.has(eventId) && !this.publisher.available) throw new PublishFailed('blocked', TO_EVENTS);
    const outgoing = { headers: eventHeaders(message), body: tail, messageId: eventId };
    const publish = () => this.publisher.publishPatiently(toLane(this.lanes.laneOf(message)), outgoing);
    if (await this.copies.publish(eventId, publish, this.confirmTimeoutMs)) return;
    throw new PublishFailed('timeout', TO_EVENTS);
  }
}

import { inTime, PublishFailed, TO_EVENTS, type SafePublisher } from '@form-webhooks/broker';
import type { EventId } from '@form-webhooks/domain';
import { eventHeaders, type EventMessage } from '@form-webhooks/messages';
import { LRUCache } from 'lru-cache';
import { EventQueue } from '../accept-event.js';

/** How many events are remembered whose confirm came when nobody waited for it any more, and for how long, ms. */
const MAX_CONFIRMED_LATE = 10_000;
const CONFIRMED_LATE_MS = 600_000;

interface Copy {
  readonly confirmed: Promise<void>;
  /** Calls that will be answered by its confirm. */
  waiting: number;
}

/**
 * Hands accepted events to the dispatchers. Whoever was told that an event is not confirmed sends it again, though its
 * first copy may lie in the connection and arrive later, as it does after an alarm of the broker. Two copies would be
 * fanned out twice, and by two dispatchers attempted twice. So a copy is known until its fate is, however long its
 * callers waited, and the same event sent again waits for it, or is answered by the confirm that came late.
 */
export class BrokerEventQueue extends EventQueue {
  /** Bounded by what the publisher takes unconfirmed. */
  private readonly underway = new Map<EventId, Copy>();
  private readonly confirmedLate = new LRUCache<EventId, true>({ max: MAX_CONFIRMED_LATE, ttl: CONFIRMED_LATE_MS });

  /** @param confirmTimeoutMs how long a caller waits; the publisher itself has to know of a copy for longer */
  constructor(
    private readonly publisher: Pick<SafePublisher, 'available' | 'publish'>,
    private readonly confirmTimeoutMs: number,
  ) {
    super();
  }

  /** For a new connection: the broker behind it may have lost what the one before confirmed. */
  forgetConfirms(): void {
    this.confirmedLate.clear();
  }

  override async publish(message: EventMessage): Promise<void> {
    // Once: an event that is sent again later may mean that somebody lost it.
    if (this.confirmedLate.delete(message.eventId)) return;
    const known = this.underway.get(message.eventId);
    // Until an alarm is over no confirm comes, and who waits for one takes a place from others.
    if (known && !this.publisher.available) throw new PublishFailed('blocked', TO_EVENTS);
    const copy = known ?? this.start(message);
    copy.waiting += 1;
    if (await inTime(copy.confirmed, this.confirmTimeoutMs)) return;
    copy.waiting -= 1;
    throw new PublishFailed('timeout', TO_EVENTS);
  }

  private start(message: EventMessage): Copy {
    const { eventId, tail } = message;
    const outgoing = { headers: eventHeaders(message), body: tail, messageId: eventId };
    const copy: Copy = { confirmed: this.publisher.publish(TO_EVENTS, outgoing), waiting: 0 };
    this.underway.set(eventId, copy);
    copy.confirmed.then(
      () => {
        this.underway.delete(eventId);
        if (copy.waiting === 0) this.confirmedLate.set(eventId, true);
      },
      () => this.underway.delete(eventId),
    );
    return copy;
  }
}

import { inTime, PublishFailed, TO_EVENTS, type SafePublisher } from '@form-webhooks/broker';
import type { EventId } from '@form-webhooks/domain';
import { eventHeaders, type EventMessage } from '@form-webhooks/messages';
import { EventQueue } from '../accept-event.js';

/** How many events are remembered whose confirm came when nobody waited for it any more. */
const MAX_CONFIRMED_LATE = 10_000;

interface Copy {
  readonly confirmed: Promise<void>;
  /** A caller was told that it is not confirmed. */
  givenUp: boolean;
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
  private readonly confirmedLate = new Set<EventId>();

  /** @param confirmTimeoutMs how long a caller waits; the publisher itself has to know of a copy for longer */
  constructor(
    private readonly publisher: Pick<SafePublisher, 'available' | 'publish'>,
    private readonly confirmTimeoutMs: number,
  ) {
    super();
  }

  override async publish(message: EventMessage): Promise<void> {
    // Once: an event that is sent again later may mean that somebody lost it.
    if (this.confirmedLate.delete(message.eventId)) return;
    const known = this.underway.get(message.eventId);
    // Until an alarm is over no confirm comes, and who waits for one takes a place from others.
    if (known && !this.publisher.available) throw new PublishFailed('blocked', TO_EVENTS);
    const copy = known ?? this.start(message);
    if (await inTime(copy.confirmed, this.confirmTimeoutMs)) return;
    copy.givenUp = true;
    throw new PublishFailed('timeout', TO_EVENTS);
  }

  private start(message: EventMessage): Copy {
    const { eventId, tail } = message;
    const outgoing = { headers: eventHeaders(message), body: tail, messageId: eventId };
    const copy: Copy = { confirmed: this.publisher.publish(TO_EVENTS, outgoing), givenUp: false };
    this.underway.set(eventId, copy);
    copy.confirmed.then(
      () => this.ended(eventId, copy.givenUp),
      () => this.ended(eventId, false),
    );
    return copy;
  }

  private ended(eventId: EventId, confirmedLate: boolean): void {
    this.underway.delete(eventId);
    if (!confirmedLate) return;
    this.confirmedLate.add(eventId);
    if (this.confirmedLate.size <= MAX_CONFIRMED_LATE) return;
    const [oldest] = this.confirmedLate;
    this.confirmedLate.delete(oldest!);
  }
}

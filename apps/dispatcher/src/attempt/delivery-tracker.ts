import type { DeliveryMessage } from '@form-webhooks/messages';

const MAX_SETTLED = 100_000;

/** What came of handling a delivery: only an attempt's outcome or a cancellation settles it. */
export type Handled = 'settled' | 'deferred';

interface Running {
  readonly deferrals: number;
  readonly work: Promise<Handled>;
}

/**
 * The deliveries that this dispatcher has in flight or has settled, by (delivery, generation, try). A redelivery of
 * one in flight joins it and one of a settled one is done at once: neither leads to a second POST. Only what the
 * reconciler published again is attempted again, since the record of its outcome was lost; once for each time that the
 * reconciler did so. In flight is bounded by the consumers' prefetch, settled by count.
 */
export class DeliveryTracker {
  private readonly inFlight = new Map<string, Running>();
  private readonly settled = new Set<string>();

  async once(delivery: DeliveryMessage, handle: () => Promise<Handled>): Promise<void> {
    const key = keyOf(delivery);
    for (let running = this.inFlight.get(key); running; running = this.inFlight.get(key)) {
      const handled = await running.work;
      // A deferral that is due again can overtake the confirms of the deferral itself: it is a turn of its own, not a
      // second copy, and joining it would lose it.
      if (handled === 'settled' || delivery.position.deferrals <= running.deferrals) return;
    }
    // What was published again isn't settled by what was settled before.
    const settledKey = delivery.republishedBy === undefined ? key : `${key}:${delivery.republishedBy}`;
    if (this.settled.has(settledKey)) return;
    const work = handle();
    this.inFlight.set(key, { deferrals: delivery.position.deferrals, work });
    try {
      // Before it leaves what is in flight, or a redelivery would find it in neither.
      if ((await work) === 'settled') [key, settledKey].forEach((settled) => this.remember(settled));
    } finally {
      this.inFlight.delete(key);
    }
  }

  private remember(key: string): void {
    this.settled.add(key);
    if (this.settled.size <= MAX_SETTLED) return;
    const oldest = this.settled.values().next().value;
    if (oldest !== undefined) this.settled.delete(oldest);
  }
}

const keyOf = ({ deliveryId, position }: DeliveryMessage): string =>
  `${deliveryId}:${position.generation}:${position.try}`;

import { Injectable } from '@nestjs/common';
import type { DeliveryMessage } from '@form-webhooks/messages';
import { RememberedKeys } from './remembered-keys.js';

/** Remembered at least; at most twice as many. */
const SETTLED = 50_000;

/** What came of a delivery that fell due: only an attempt's outcome or a cancellation settles it. */
export type SettledOrDeferred = 'settled' | 'deferred';
/** Or it was left undone, because the broker has taken its message back and hands it over again. */
export type SettledOrLeft = SettledOrDeferred | 'left';

interface Running {
  readonly deferrals: number;
  readonly work: Promise<SettledOrLeft>;
}

/**
 * The deliveries that this dispatcher has in flight or has settled, by (delivery, generation, try). A redelivery of
 * one in flight joins it and one of a settled one is done at once: neither leads to a second POST. Only what the
 * reconciler published again is attempted again, since the record of its outcome was lost; once for each time that the
 * reconciler did so. In flight is bounded by the consumers' prefetch, settled by count.
 */
@Injectable()
export class DeliveryTracker {
  private readonly inFlight = new Map<string, Running>();
  private readonly settled = new RememberedKeys(SETTLED);

  /**
   * Handles a delivery unless it is in flight or settled. Resolves once it is settled or deferred, by whichever call
   * handles it, or once its own `handle` has left it. Rejects as `handle` does; then, and after it was left, it is in
   * flight no more, and the redelivery is handled.
   */
  async handleOnce(delivery: DeliveryMessage, handle: () => Promise<SettledOrLeft>): Promise<void> {
    const key = keyOf(delivery);
    for (let running = this.inFlight.get(key); running; running = this.inFlight.get(key)) {
      const came = await running.work;
      // A deferral that is due again can overtake the confirms of the deferral itself: it is a turn of its own, not a
      // second copy, and joining it would lose it.
      if (came === 'left') continue;
      if (came === 'settled' || delivery.position.deferrals <= running.deferrals) return;
    }
    // What was published again isn't settled by what was settled before.
    const settledKey = delivery.republishedBy === undefined ? key : `${key}:${delivery.republishedBy}`;
    if (this.settled.has(settledKey)) return;
    const work = handle();
    this.inFlight.set(key, { deferrals: delivery.position.deferrals, work });
    try {
      // Before it leaves what is in flight, or a redelivery would find it in neither.
      if ((await work) === 'settled') this.settle(key, settledKey);
    } finally {
      this.inFlight.delete(key);
    }
  }

  private settle(key: string, settledKey: string): void {
    this.settled.add(key);
    if (settledKey !== key) this.settled.add(settledKey);
  }
}

/** Joined and not a template, which V8 keeps as a chain of its pieces: four times the memory of 100,000 such keys. */
const keyOf = ({ deliveryId, position }: DeliveryMessage): string =>
  [deliveryId, position.generation, position.try].join(':');

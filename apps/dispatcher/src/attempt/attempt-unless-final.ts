import { Injectable } from '@nestjs/common';
import type { DeliveryMessage } from '@form-webhooks/messages';
import { KnownDeliveries } from '../repeats/known-deliveries.js';
import { RepeatReport } from '../repeats/repeat-report.js';
import { AttemptDelivery, type AttemptProgress } from './attempt-delivery.js';
import type { SettledOrDeferred } from './delivery-tracker.js';

/**
 * Keeps a delivery from running again after its end, and from running on in a generation that its owner has replaced by
 * the next one or called off. What this process settled it knows itself; a message that a broker or a crash brought
 * back after another process had settled it, only the log knows. A delivery that comes for the first time isn't asked
 * about: the fan-out has just made it.
 */
@Injectable()
export class AttemptUnlessFinal {
  constructor(
    private readonly attempts: AttemptDelivery,
    private readonly known: KnownDeliveries,
    private readonly report: RepeatReport,
  ) {}

  /** @param redelivered whether the broker handed the message over before */
  async attempt(
    delivery: DeliveryMessage,
    redelivered: boolean,
    progress?: AttemptProgress,
  ): Promise<SettledOrDeferred> {
    if ((redelivered || cameBefore(delivery)) && (await this.isOver(delivery))) {
      this.report.reportRepeat('attempt');
      return 'settled';
    }
    return this.attempts.attempt(delivery, progress);
  }

  /** Whether this generation has ended, or a later one or a later try has begun: that has a message of its own. */
  private async isOver({ deliveryId, acceptedAt, position }: DeliveryMessage): Promise<boolean> {
    const known = (await this.known.of([{ deliveryId, acceptedAt }])).get(deliveryId);
    if (!known) return false;
    if (known.generation !== position.generation) return known.generation > position.generation;
    return known.is_final || (known.try ?? 0) > position.try;
  }
}

const cameBefore = ({ position, republishedBy, cameBefore: byItsEvent }: DeliveryMessage): boolean =>
  position.try > 0 || position.deferrals > 0 || republishedBy !== undefined || byItsEvent === true;

import { Injectable } from '@nestjs/common';
import type { DeliveryMessage, EventMessage, KnownDelivery } from '@form-webhooks/messages';
import { KnownDeliveries } from '../repeats/known-deliveries.js';
import { RepeatReport } from '../repeats/repeat-report.js';
import type { EventArrival } from './event-arrival.js';

/** Which deliveries of an event need not be made, because they were made when it came before. */
@Injectable()
export class RepeatedDeliveries {
  constructor(
    private readonly known: KnownDeliveries,
    private readonly report: RepeatReport,
  ) {}

  /** Those that are to be made. Only what has a key, waited or was handed over before can have come before. */
  async without(
    deliveries: readonly DeliveryMessage[],
    { key }: EventMessage,
    { waits, redelivered }: EventArrival,
  ): Promise<readonly DeliveryMessage[]> {
    if (key === undefined && waits === 0 && !redelivered) return deliveries;
    const known = await this.known.of(deliveries);
    const madeBefore = redelivered ? goesOnByItself : isThere;
    const due = deliveries.filter(({ deliveryId }) => !madeBefore(known.get(deliveryId)));
    this.report.reportRepeat('fan_out', deliveries.length - due.length);
    return due;
  }
}

/** Of another message about the same event: whoever holds the first one sees to what the log knows. */
const isThere = (known: KnownDelivery | undefined): boolean => known !== undefined;

/**
 * Of the same message: what was neither ended nor put off nor tried was in the hands of whoever lost it. A config of
 * before, which doesn't tell how far it was, recorded only what was in a queue.
 */
function goesOnByItself(known: KnownDelivery | undefined): boolean {
  if (!known) return false;
  const { generation, try: tries, deferrals, is_final } = known;
  return is_final || generation > 0 || tries === undefined || tries > 0 || (deferrals ?? 0) > 0;
}

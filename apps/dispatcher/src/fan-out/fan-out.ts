import { deriveDeliveryId, FIRST_POSITION, type EndpointId } from '@form-webhooks/domain';
import { EVENT_RUNGS_MS, eventRetryQueue, TO_DELIVERIES, toQueue, type SafePublisher } from '@form-webhooks/broker';
import {
  deliveryHeaders,
  eventHeaders,
  type DeliveryMessage,
  type EventMessage,
  type EventRecord,
} from '@form-webhooks/messages';
import type { RetryUntilPublished } from '../intake/retry-until-published.js';
import { FormUnknown, type EndpointDirectory, type FormEndpoints } from '../endpoints/endpoint-directory.js';
import type { RecordLog } from '../record/record-log.js';

/** "No endpoints" is believed only if config said it this recently, ms: the form may just have got its first one. */
const DISCARD_MAX_AGE_MS = 1_000;

/** What became of an event; the counters are kept by these words. */
export type FannedOut = 'fanned_out' | 'no_endpoints' | 'not_registered' | 'waiting';

/** Makes one delivery for each enabled endpoint of an event's form. */
export class FanOut {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly publisher: SafePublisher,
    private readonly confirmed: RetryUntilPublished,
    private readonly log: RecordLog,
  ) {}

  /**
   * Resolves once all that follows is confirmed. Running it twice for one event makes the same deliveries again, and
   * receivers and log know them by their ids.
   * @param waits how often this event waited for its form before
   */
  async fanOut(event: EventMessage, waits: number): Promise<FannedOut> {
    let form: FormEndpoints;
    try {
      form = await this.directory.lookup(event.formId);
      if (targetsOf(form, event).length === 0) {
        form = await this.directory.lookupFresh(event.formId, DISCARD_MAX_AGE_MS);
      }
    } catch (error) {
      if (!(error instanceof FormUnknown)) throw error;
      await this.putOff(event, waits);
      return 'waiting';
    }
    const targets = targetsOf(form, event);
    if (targets.length === 0) return form.registered ? 'no_endpoints' : 'not_registered';
    await this.hand(event, targets);
    return 'fanned_out';
  }

  private async hand(event: EventMessage, targets: readonly EndpointId[]): Promise<void> {
    const deliveries = targets.map((endpointId) => deliveryTo(event, endpointId));
    const record: EventRecord = {
      ...event,
      kind: 'event',
      fannedOutAt: Date.now(),
      deliveries: deliveries.map(({ deliveryId, endpointId }) => ({ deliveryId, endpointId })),
    };
    await Promise.all([
      ...deliveries.map((delivery) => {
        const message = { headers: deliveryHeaders(delivery), body: delivery.tail };
        return this.confirmed.untilConfirmed(() => this.publisher.publish(TO_DELIVERIES, message));
      }),
      this.log.record(record),
    ]);
  }

  /** Config is away: the event waits on a delay queue, longer each time. */
  private async putOff(event: EventMessage, waits: number): Promise<void> {
    const queue = eventRetryQueue(EVENT_RUNGS_MS[Math.min(waits, EVENT_RUNGS_MS.length - 1)]!);
    const message = { headers: { ...eventHeaders(event), waits: waits + 1 }, body: event.tail };
    await this.confirmed.untilConfirmed(() => this.publisher.publish(toQueue(queue.name), message));
  }
}

const targetsOf = (form: FormEndpoints, { event }: EventMessage): EndpointId[] =>
  [...form.endpoints.values()]
    .filter((endpoint) => endpoint.enabled && endpoint.events.includes(event))
    .map((endpoint) => endpoint.id as EndpointId);

const deliveryTo = (event: EventMessage, endpointId: EndpointId): DeliveryMessage => ({
  ...event,
  deliveryId: deriveDeliveryId(event.eventId, endpointId),
  endpointId,
  position: FIRST_POSITION,
  generationStartedAt: event.acceptedAt,
  dueAt: event.acceptedAt,
  trigger: 'event',
});

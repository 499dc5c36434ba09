import { Injectable } from '@nestjs/common';
import { deriveDeliveryId, FIRST_POSITION, type EndpointId } from '@form-webhooks/domain';
import { EVENT_RUNGS_MS, eventRetryQueue, TO_DELIVERIES, toQueue } from '@form-webhooks/broker';
import {
  deliveryHeaders,
  eventHeaders,
  type DeliveryMessage,
  type EventMessage,
  type EventRecord,
} from '@form-webhooks/messages';
import { FormUnknown, type FormEndpoints } from '../endpoints/endpoint-directory.js';
import { MessagePublisher } from '../publish/message-publisher.js';
import { DeliveryLog } from '../record/delivery-log.js';

/** "No endpoints" is believed only if config said it this recently, ms: the form may just have got its first one. */
const DISCARD_MAX_AGE_MS = 1_000;

/** What became of an event; the counters are kept by these words. */
export type FanOutOutcome = 'fanned_out' | 'no_endpoints' | 'not_registered' | 'waiting';

/** Looks up the form of an event. */
export abstract class EventFormLookup {
  /** @throws FormUnknown while config can't be asked and nothing is cached */
  abstract lookup(formId: string): Promise<FormEndpoints>;
  /** As config answered at most `maxAgeMs` ago. @throws FormUnknown while config can't be asked */
  abstract lookupFresh(formId: string, maxAgeMs: number): Promise<FormEndpoints>;
}

/** Makes one delivery for each enabled endpoint of an event's form. */
@Injectable()
export class FanOut {
  constructor(
    private readonly forms: EventFormLookup,
    private readonly publisher: MessagePublisher,
    private readonly log: DeliveryLog,
  ) {}

  /**
   * Resolves once all that follows is confirmed. Running it twice for one event makes the same deliveries again, and
   * receivers and log know them by their ids.
   * @param waits how often this event waited for its form before
   */
  async fanOut(event: EventMessage, waits: number): Promise<FanOutOutcome> {
    const form = await this.formOf(event);
    if (!form) {
      await this.putOff(event, waits);
      return 'waiting';
    }
    const endpointIds = listeningEndpoints(form, event);
    if (endpointIds.length === 0) return form.registered ? 'no_endpoints' : 'not_registered';
    await this.publishDeliveries(event, endpointIds);
    return 'fanned_out';
  }

  private async formOf(event: EventMessage): Promise<FormEndpoints | undefined> {
    try {
      const form = await this.forms.lookup(event.formId);
      if (listeningEndpoints(form, event).length > 0) return form;
      return await this.forms.lookupFresh(event.formId, DISCARD_MAX_AGE_MS);
    } catch (error) {
      if (error instanceof FormUnknown) return undefined;
      throw error;
    }
  }

  private async publishDeliveries(event: EventMessage, endpointIds: readonly EndpointId[]): Promise<void> {
    const deliveries = endpointIds.map((endpointId) => firstDelivery(event, endpointId));
    const record: EventRecord = {
      ...event,
      kind: 'event',
      fannedOutAt: Date.now(),
      deliveries: deliveries.map(({ deliveryId, endpointId }) => ({ deliveryId, endpointId })),
    };
    await Promise.all([
      ...deliveries.map((delivery) =>
        this.publisher.publish(TO_DELIVERIES, { headers: deliveryHeaders(delivery), body: delivery.tail }),
      ),
      this.log.record(record),
    ]);
  }

  /** Config is away: the event waits on a delay queue, longer each time. */
  private async putOff(event: EventMessage, waits: number): Promise<void> {
    const queue = eventRetryQueue(EVENT_RUNGS_MS[Math.min(waits, EVENT_RUNGS_MS.length - 1)]!);
    const message = { headers: { ...eventHeaders(event), waits: waits + 1 }, body: event.tail };
    await this.publisher.publish(toQueue(queue.name), message);
  }
}

const listeningEndpoints = (form: FormEndpoints, { event }: EventMessage): EndpointId[] =>
  [...form.endpoints.values()]
    .filter((endpoint) => endpoint.enabled && endpoint.events.includes(event))
    .map((endpoint) => endpoint.id as EndpointId);

const firstDelivery = (event: EventMessage, endpointId: EndpointId): DeliveryMessage => ({
  ...event,
  deliveryId: deriveDeliveryId(event.eventId, endpointId),
  endpointId,
  position: FIRST_POSITION,
  generationStartedAt: event.acceptedAt,
  dueAt: event.acceptedAt,
  trigger: 'event',
});

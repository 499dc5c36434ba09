import { Injectable } from '@nestjs/common';
import type { EndpointId, EventOutcome } from '@form-webhooks/domain';
import { EVENT_RUNGS_MS, eventRetryQueue, TO_DELIVERIES, toQueue } from '@form-webhooks/broker';
import {
  deliveryHeaders,
  eventHeaders,
  firstDelivery,
  type DeliveryMessage,
  type EventMessage,
  type EventRecord,
} from '@form-webhooks/messages';
import { FormUnknown, type FormEndpoints } from '../endpoints/endpoint-directory.js';
import { MessagePublisher } from '../publish/message-publisher.js';
import { DeliveryLog } from '../record/delivery-log.js';
import { KnownDeliveries } from '../repeats/known-deliveries.js';
import { RepeatReport } from '../repeats/repeat-report.js';

/** "No endpoints" is believed only if config said it this recently, ms: the form may just have got its first one. */
const DISCARD_MAX_AGE_MS = 1_000;
/** A form service may send a form's first event before it registers the form: so long after its acceptance it waits. */
const REGISTRATION_WAIT_MS = 60_000;
/** How long it waits at most before it looks again, so that it is sent soon after the registration. */
const REGISTRATION_RUNG_MS = 15_000;

/** What became of an event; the counters are kept by these words. */
export type FanOutOutcome = EventOutcome | 'repeated';

/** How an event came. */
export interface EventArrival {
  /** How often it waited for its form before. */
  readonly waits: number;
  /** Whether the broker says that it handed it over before: the event may have been fanned out already. */
  readonly redelivered: boolean;
}

/** Looks up the form of an event. */
export abstract class EventFormLookup {
  /** @throws FormUnknown while config can't be asked and nothing is cached */
  abstract lookup(formId: string): Promise<FormEndpoints>;
  /** As config answered at most `maxAgeMs` ago. @throws FormUnknown while config can't be asked */
  abstract lookupFresh(formId: string, maxAgeMs: number): Promise<FormEndpoints>;
}

/** Makes one delivery for each enabled endpoint of an event's form, and records what became of the event. */
@Injectable()
export class FanOut {
  constructor(
    private readonly forms: EventFormLookup,
    private readonly publisher: MessagePublisher,
    private readonly log: DeliveryLog,
    private readonly known: KnownDeliveries,
    private readonly report: RepeatReport,
  ) {}

  /**
   * Resolves once all that follows is confirmed. Running it twice for one event makes no delivery anew that the log
   * knows; what it does not know yet is made again under the same ids, and receivers and log know it by them.
   */
  async fanOut(event: EventMessage, arrival: EventArrival): Promise<FanOutOutcome> {
    const form = await this.formOf(event);
    if (!form) return this.putOff(event, arrival.waits, EVENT_RUNGS_MS);
    const endpointIds = listeningEndpoints(form, event);
    if (endpointIds.length > 0) return this.publishDeliveries(event, endpointIds, arrival);
    if (mayGetEndpointsYet(event, form, arrival.waits)) return this.putOff(event, arrival.waits, REGISTRATION_RUNGS_MS);
    const outcome = form.registered ? 'no_endpoints' : 'not_registered';
    await this.log.record(recordOf(event, outcome, []));
    return outcome;
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

  private async publishDeliveries(
    event: EventMessage,
    endpointIds: readonly EndpointId[],
    arrival: EventArrival,
  ): Promise<FanOutOutcome> {
    const deliveries = endpointIds.map((id) =>
      firstDelivery(event, id, { startedAt: event.acceptedAt, trigger: 'event' }),
    );
    const due = await this.withoutKnown(event, deliveries, arrival);
    this.report.reportRepeat('fan_out', deliveries.length - due.length);
    if (due.length === 0) return 'repeated';
    await Promise.all(
      due.map((delivery) =>
        this.publisher.publish(TO_DELIVERIES, { headers: deliveryHeaders(delivery), body: delivery.tail }),
      ),
    );
    // Only now: what the log knows was published, so that an event that comes again need not make it again.
    await this.log.record(recordOf(event, 'fanned_out', deliveries));
    return 'fanned_out';
  }

  /** Only what has a key, waited or was handed over before can have been sent. */
  private async withoutKnown(
    event: EventMessage,
    deliveries: readonly DeliveryMessage[],
    { waits, redelivered }: EventArrival,
  ): Promise<readonly DeliveryMessage[]> {
    if (event.key === undefined && waits === 0 && !redelivered) return deliveries;
    const known = await this.known.of(deliveries);
    return deliveries.filter(({ deliveryId }) => !known.has(deliveryId));
  }

  /** Its form is not known yet: the event waits on a delay queue, longer each time. */
  private async putOff(event: EventMessage, waits: number, rungsMs: readonly number[]): Promise<'waiting'> {
    const queue = eventRetryQueue(rungsMs[Math.min(waits, rungsMs.length - 1)]!);
    const message = { headers: { ...eventHeaders(event), waits: waits + 1 }, body: event.tail };
    await this.publisher.publish(toQueue(queue.name), message);
    if (waits === 0) await this.log.record(recordOf(event, 'waiting', []));
    return 'waiting';
  }
}

const REGISTRATION_RUNGS_MS = EVENT_RUNGS_MS.filter((ms) => ms <= REGISTRATION_RUNG_MS);

/** Of a form that is being set up: not there yet, or it was not when the event came, and its endpoints are to follow. */
const mayGetEndpointsYet = ({ acceptedAt }: EventMessage, form: FormEndpoints, waits: number): boolean =>
  !form.deleted && (!form.registered || waits > 0) && Date.now() < acceptedAt + REGISTRATION_WAIT_MS;

const recordOf = (event: EventMessage, outcome: EventOutcome, deliveries: readonly DeliveryMessage[]): EventRecord => ({
  ...event,
  kind: 'event',
  outcome,
  fannedOutAt: Date.now(),
  deliveries: deliveries.map(({ deliveryId, endpointId }) => ({ deliveryId, endpointId })),
});

const listeningEndpoints = (form: FormEndpoints, { event }: EventMessage): EndpointId[] =>
  [...form.endpoints.values()]
    .filter((endpoint) => endpoint.enabled && endpoint.events.includes(event))
    .map((endpoint) => endpoint.id as EndpointId);

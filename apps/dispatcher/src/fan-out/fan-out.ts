import { Injectable } from '@nestjs/common';
import { rungAfter, type EndpointId, type EventOutcome } from '@form-webhooks/domain';
import { EVENT_RUNGS_MS, eventRetryQueue, laneFor, toQueue } from '@form-webhooks/broker';
import { DeliverySettings } from '@form-webhooks/settings';
import { CAME_BEFORE, eventHeaders, FORM_WAITS, type EventMessage } from '@form-webhooks/messages';
import { FormUnknown, type FormEndpoints } from '../endpoints/form-endpoints.js';
import { LOOKUP_PAUSES_MS } from '../endpoints/lookup-pauses.js';
import { MessagePublisher } from '../publish/message-publisher.js';
import { DeliveryLog } from '../record/delivery-log.js';
import type { EventArrival } from './event-arrival.js';
import { EventDeliveries, recordOf } from './event-deliveries.js';

/** "No endpoints" is believed only if config said it this recently, ms: the form may just have got its first one. */
const DISCARD_MAX_AGE_MS = 1_000;
/** So long after its acceptance an event waits for its form to be registered, which a form service may do after sending it. */
const REGISTRATION_WAIT_MS = 60_000;
/** The longest pause between two looks for that form, so that its event is sent soon after the registration. */
const REGISTRATION_RUNG_MS = 15_000;

/** What became of an event; the counters are kept by these words. One whose form is missing waits. */
export type FanOutOutcome = EventOutcome | 'repeated' | 'form_missing';

/** Looks up the form of an event. */
export abstract class EventFormLookup {
  /** @throws FormUnknown while config can't be asked and nothing is cached */
  abstract lookup(formId: string): Promise<FormEndpoints>;
  /** As config answered at most `maxAgeMs` ago. @throws FormUnknown while config can't be asked */
  abstract lookupFresh(formId: string, maxAgeMs: number): Promise<FormEndpoints>;
}

/** Finds the endpoints of an event's form, makes a delivery for each that is enabled, and says what became of the event. */
@Injectable()
export class FanOut {
  constructor(
    private readonly forms: EventFormLookup,
    private readonly deliveries: EventDeliveries,
    private readonly publisher: MessagePublisher,
    private readonly log: DeliveryLog,
    private readonly settings: DeliverySettings,
  ) {}

  /**
   * Resolves once all that follows is confirmed. Running it twice for one event makes no delivery anew that the log
   * knows; what it does not know yet is made again under the same ids, and receivers and log know it by them.
   */
  async fanOut(event: EventMessage, arrival: EventArrival): Promise<FanOutOutcome> {
    const form = await this.formOf(event);
    if (!form) return this.wait(event, arrival, LOOKUP_PAUSES_MS);
    const endpointIds = listeningEndpoints(form, event);
    if (endpointIds.length > 0) return this.deliveries.deliver(event, endpointIds, arrival);
    if (form.missing && Date.now() < event.acceptedAt + this.settings.maxAgeMs) {
      await this.wait(event, arrival, EVENT_RUNGS_MS);
      return 'form_missing';
    }
    if (mayGetEndpointsYet(event, form, arrival.waits)) return this.wait(event, arrival, REGISTRATION_RUNGS_MS);
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

  /** Its form is not known yet: the event waits on a delay queue of its lane, longer each time. */
  private async wait(
    event: EventMessage,
    { waits, redelivered, queue: lane }: EventArrival,
    rungsMs: readonly number[],
  ): Promise<'waiting'> {
    const delayMs = rungAfter(rungsMs, waits);
    const queue = eventRetryQueue(delayMs, laneFor(lane, event.tail.length));
    // It comes back as a message of its own, which the broker has handed to nobody before.
    const headers = { ...eventHeaders(event), [FORM_WAITS]: waits + 1, ...(redelivered && { [CAME_BEFORE]: 1 }) };
    const message = { headers, body: event.tail };
    await this.publisher.publish(toQueue(queue.name), message);
    if (waits === 0) await this.log.record(recordOf(event, 'waiting', []));
    return 'waiting';
  }
}

const REGISTRATION_RUNGS_MS = EVENT_RUNGS_MS.filter((ms) => ms <= REGISTRATION_RUNG_MS);

/** Of a form that is being set up: not there yet, or it was not when the event came, and its endpoints are to follow. */
const mayGetEndpointsYet = ({ acceptedAt }: EventMessage, form: FormEndpoints, waits: number): boolean =>
  !form.deleted && (!form.registered || waits > 0) && Date.now() < acceptedAt + REGISTRATION_WAIT_MS;

const listeningEndpoints = (form: FormEndpoints, { event }: EventMessage): EndpointId[] =>
  [...form.endpoints.values()]
    .filter((endpoint) => endpoint.enabled && endpoint.events.includes(event))
    .map((endpoint) => endpoint.id as EndpointId);

import { Injectable } from '@nestjs/common';
import type { EndpointId, EventOutcome } from '@form-webhooks/domain';
import { EVENT_RUNGS_MS, eventRetryQueue, laneFor, toDeliveries, toQueue } from '@form-webhooks/broker';
import { DeliverySettings } from '@form-webhooks/settings';
import {
  CAME_BEFORE,
  deliveryHeaders,
  eventHeaders,
  firstDelivery,
  FORM_WAITS,
  type DeliveryMessage,
  type EventMessage,
  type EventRecord,
} from '@form-webhooks/messages';
import { FormUnknown, type FormEndpoints } from '../endpoints/form-endpoints.js';
import { LOOKUP_PAUSES_MS } from '../endpoints/lookup-pauses.js';
import { MessagePublisher } from '../publish/message-publisher.js';
import { DeliveryLog } from '../record/delivery-log.js';
import type { EventArrival } from './event-arrival.js';
import { RepeatedDeliveries } from './repeated-deliveries.js';

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

/** Makes the first attempt of a delivery while its event's message is held. */
export abstract class FirstAttempts {
  /**
   * Resolves once the delivery is final and recorded, or safe in a queue, or once the broker has taken its event back
   * before the attempt began. It rejects only for bugs before the POST, and at a stop.
   * @param arrival of its event
   * @param begins called when it has waited, unless it need not be attempted
   */
  abstract attempt(delivery: DeliveryMessage, arrival: EventArrival, begins: () => void): Promise<void>;
}

/**
 * Makes one delivery for each enabled endpoint of an event's form, attempts each, and records what became of the event.
 *
 * The first attempts are made straight from the event's message, which stays unacknowledged until each delivery is final
 * or waits in its endpoint's retry queue: a delivery that succeeds at once costs the broker no message of its own. If
 * this process dies meanwhile the event comes again, and then each delivery that is not known to be over goes its own
 * way as a message, so that one that kills its dispatcher takes no other with it.
 */
@Injectable()
export class FanOut {
  constructor(
    private readonly forms: EventFormLookup,
    private readonly publisher: MessagePublisher,
    private readonly log: DeliveryLog,
    private readonly first: FirstAttempts,
    private readonly repeats: RepeatedDeliveries,
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
    if (endpointIds.length > 0) return this.deliver(event, endpointIds, arrival);
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

  private async deliver(
    event: EventMessage,
    endpointIds: readonly EndpointId[],
    arrival: EventArrival,
  ): Promise<FanOutOutcome> {
    const deliveries = endpointIds.map((id) =>
      firstDelivery(event, id, { startedAt: event.acceptedAt, trigger: 'event' }),
    );
    const due = await this.repeats.without(deliveries, event, arrival);
    if (due.length === 0) return 'repeated';
    const record = recordOf(event, 'fanned_out', deliveries);
    if (arrival.redelivered) {
      await allOf(due.map((delivery) => this.publish(delivery)));
      // Only now: the reconciler takes what the log knows, and no queue holds, for lost.
      await this.log.record(record);
    } else {
      await this.attemptFirst(due, record, arrival);
    }
    return 'fanned_out';
  }

  /**
   * Records the event at once: what takes long to be attempted is to be seen while it waits, and what does not shares a
   * row's insert. What comes by a bulk lane may be old by then, and would be taken for lost while it waits here for its
   * endpoint's room: its record is made when the first of its attempts begins.
   */
  private async attemptFirst(
    due: readonly DeliveryMessage[],
    record: EventRecord,
    arrival: EventArrival,
  ): Promise<void> {
    let recorded: Promise<void> | undefined;
    const recordOnce = (): Promise<void> => (recorded ??= this.log.record(record));
    const begins = (): void => void recordOnce().catch(() => undefined);
    if (arrival.bulkLane === undefined) begins();
    await allOf(due.map((delivery) => this.first.attempt(delivery, arrival, begins)));
    // What the broker has taken back before any began is recorded by whoever gets it next.
    if (recorded !== undefined || arrival.isOurs()) await recordOnce();
  }

  private publish(delivery: DeliveryMessage): Promise<void> {
    const headers = deliveryHeaders({ ...delivery, cameBefore: true });
    return this.publisher.publish(toDeliveries(delivery.tail.length), { headers, body: delivery.tail });
  }

  /** Its form is not known yet: the event waits on a delay queue of its lane, longer each time. */
  private async wait(
    event: EventMessage,
    { waits, redelivered, queue: lane }: EventArrival,
    rungsMs: readonly number[],
  ): Promise<'waiting'> {
    const delayMs = rungsMs[Math.min(waits, rungsMs.length - 1)]!;
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

/** Waits for all of them also if one fails, so that nothing of an event is under way once it is handed back. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(work);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

import { Injectable } from '@nestjs/common';
import type { EndpointId, EventName } from '@form-webhooks/domain';
import type { MadeDeliveryDto, SentEventsDto, SkippedEventDto, SkippedEventReason } from '@form-webhooks/http-api';
import {
  countDeliveries,
  listEndpoints,
  lockEvent,
  startDeliveries,
  type Actor,
  type DeliveryRow,
  type Endpoint,
  type Form,
  type LockedEvent,
} from '@form-webhooks/storage';
import { Change } from '../changes/change.js';
import { Changes } from '../changes/changes.js';

/** The most that a form can ever have (`MAX_ENDPOINTS_PER_FORM`). */
const ALL_ENDPOINTS = 100;

/** Sends accepted events to the endpoints of now: for those that came when nobody listened, or before an endpoint. */
@Injectable()
export class SendEvents {
  constructor(private readonly changes: Changes) {}

  /** @returns the deliveries made, which the log has at once, and the events that led to none, with the reason */
  send(by: Actor, form: Form, eventIds: readonly string[]): Promise<SentEventsDto> {
    return this.changes.commit(by, async (change) => {
      const endpoints = await listEndpoints(change.tx, form, ALL_ENDPOINTS);
      const enabled = endpoints.filter((endpoint) => endpoint.enabled);
      const sending = new Sending(change, form, enabled);
      // All events are locked before any delivery, in one order over all calls: so the log's writers do it too.
      const locked: [string, LockedEvent | SkippedEventReason][] = [];
      for (const eventId of [...eventIds].sort()) {
        locked.push([eventId, await lockEvent(change.tx, form.id, eventId)]);
      }
      for (const [eventId, event] of locked) await sending.sendOne(eventId, event);
      return sending.finish();
    });
  }
}

/** One call while its transaction is open. */
class Sending {
  private readonly rows: DeliveryRow[] = [];
  private readonly skipped: SkippedEventDto[] = [];

  constructor(
    private readonly change: Change,
    private readonly form: Form,
    private readonly enabled: readonly Endpoint[],
  ) {}

  async sendOne(eventId: string, event: LockedEvent | SkippedEventReason): Promise<void> {
    if (typeof event === 'string') return this.skip(eventId, event);
    const listening = listeningTo(event.event, this.enabled);
    if (listening.length === 0) return this.skip(eventId, 'no_endpoints');
    const { deliveries, rows } = await startDeliveries(this.change.tx, event, listening, this.change.at.getTime());
    if (rows.length === 0) return this.skip(eventId, 'sent_before');
    await this.change.deliverLogged(deliveries);
    this.rows.push(...rows);
    const { id: formId, workspaceId } = this.form;
    this.change.audit({ workspaceId, formId, action: 'event.sent', target: { type: 'event', id: eventId } });
  }

  async finish(): Promise<SentEventsDto> {
    await countDeliveries(
      this.change.tx,
      this.rows.map((after) => ({ before: [], after })),
    );
    return { deliveries: this.rows.map(show), skipped: this.skipped };
  }

  private skip(eventId: string, reason: SkippedEventReason): void {
    this.skipped.push({ event_id: eventId, reason });
  }
}

const listeningTo = (event: EventName, endpoints: readonly Endpoint[]): EndpointId[] =>
  endpoints.filter(({ events }) => events.includes(event)).map(({ id }) => id as EndpointId);

const show = ({ identity }: DeliveryRow): MadeDeliveryDto => ({
  event_id: identity.eventId,
  endpoint_id: identity.endpointId,
  delivery_id: identity.deliveryId,
});

import { rfc3339 } from '@form-webhooks/domain';
import { Injectable } from '@nestjs/common';
import { MAX_EVENTS_FOUND, type EventSearchDto, type FoundEventDto } from '@form-webhooks/http-api';
import { DataSource, deliveriesOf, findEvents, type FoundEvent } from '@form-webhooks/storage';
import type { CallerIdentity } from '../access/caller-identity.js';
import { showDelivery } from '../deliveries/delivery-views.js';
import { RetentionSettings } from '../retention/retention-settings.js';
import { BrokerSearch } from './broker-search.js';
import { tellEvent, tellSearch } from './tell-event.js';

/** Answers whether an event arrived, and where it is: from the log, and for operators from the broker as well. */
@Injectable()
export class EventSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly broker: BrokerSearch,
    private readonly retention: RetentionSettings,
  ) {}

  /**
   * The broker is searched for who may see all: it can't tell of which workspace a message is.
   * @param workspaceId only of its forms; of any form without it
   * @param id of an event or a delivery, or a key with which events were sent
   */
  async find(by: CallerIdentity, workspaceId: string | undefined, id: string): Promise<EventSearchDto> {
    const isOfAll = by.isService && workspaceId === undefined;
    const tx = this.dataSource.manager;
    const found = await findEvents(tx, id, isOfAll ? undefined : workspaceId, MAX_EVENTS_FOUND);
    const events: FoundEventDto[] = [];
    // One after another: a search needs one connection, however much it finds.
    for (const event of found) events.push(await this.show(event));
    const broker = isOfAll ? await this.broker.find(id) : null;
    return { summary: tellSearch(events, broker, isOfAll, this.retention.days), events, broker };
  }

  private async show(event: FoundEvent): Promise<FoundEventDto> {
    const deliveries = (await deliveriesOf(this.dataSource.manager, event)).map(showDelivery);
    const shown = {
      event_id: event.eventId,
      event: event.event,
      form_id: event.formId,
      submission_id: event.submissionId,
      accepted_at: event.acceptedAt === null ? null : rfc3339(event.acceptedAt),
      outcome: event.outcome,
      idempotency_key: event.key,
      deliveries,
    };
    return { ...shown, summary: tellEvent(shown) };
  }
}

import { PublishFailed } from '@form-webhooks/broker';
import { readTraceParent, rfc3339 } from '@form-webhooks/domain';
import { Body, Controller, Headers, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptEvent, type Acceptance } from '../accept/accept-event.js';
import { IngestMetrics } from '../accept/ingest-metrics.js';
import { reasonOf } from '../accept/refusal.js';
import { Capacity } from './capacity.js';
import { EVENTS_PATH } from './paths.js';
import { notConfirmed, refusalProblem } from './problems.js';

/** What the form service gets for an event that is safe. */
export interface AcceptedEvent {
  readonly event_id: string;
  readonly accepted_at: string;
}

/** The HTTP door. Callers are checked before this, by `HttpDoor`. */
@Controller()
export class EventsController {
  constructor(
    private readonly acceptEvent: AcceptEvent,
    private readonly capacity: Capacity,
    private readonly metrics: IngestMetrics,
  ) {}

  @Post(EVENTS_PATH)
  @HttpCode(202)
  async post(
    @Req() request: FastifyRequest,
    @Body() body: Buffer,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<AcceptedEvent> {
    const startedAt = performance.now();
    const acceptance = await this.capacity.during(request.raw, () => this.accept(body, key, request));
    if (acceptance.kind === 'refused') {
      this.metrics.refused('http', reasonOf(acceptance.refusal));
      throw refusalProblem(acceptance.refusal);
    }
    this.metrics.accepted('http', performance.now() - startedAt);
    return { event_id: acceptance.eventId, accepted_at: rfc3339(acceptance.acceptedAt) };
  }

  private async accept(body: Buffer, key: string | undefined, { headers }: FastifyRequest): Promise<Acceptance> {
    const trace = readTraceParent(headers['traceparent']);
    try {
      return await this.acceptEvent.accept(body, { keyName: 'Idempotency-Key', key, keyRequired: false, trace });
    } catch (error) {
      if (!(error instanceof PublishFailed)) throw error;
      this.metrics.refused('http', 'not_confirmed');
      throw notConfirmed();
    }
  }
}

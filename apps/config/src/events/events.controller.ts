import { Body, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { EventListDto, EventQueryDto, SendEventsDto, SentEventsDto } from '@form-webhooks/http-api';
import type { Form } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, FormInPath, Scopes } from '../access/decorators.js';
import { Answers, ApiController } from '../http/documented.js';
import { TakesIdempotencyKey } from '../idempotency/idempotency-key.js';
import { EventLog } from './event-log.js';
import { SendEvents } from './send-events.js';

@ApiController('forms/:form_id/events', 'events')
@ApiParam({ name: 'form_id' })
@Answers(404, 'Unknown form')
export class EventsController {
  constructor(
    private readonly log: EventLog,
    private readonly sendEvents: SendEvents,
  ) {}

  @Get()
  @Scopes('deliveries:read')
  @ApiOperation({
    operationId: 'list_events',
    summary: 'The accepted events of a form, newest first, also those for which no endpoint was enabled',
  })
  @ApiOkResponse({ type: EventListDto })
  list(@FormInPath() form: Form, @Query() query: EventQueryDto): Promise<EventListDto> {
    return this.log.list(form, query);
  }

  @Post('send')
  @HttpCode(202)
  @Scopes('deliveries:replay')
  @TakesIdempotencyKey()
  @ApiOperation({
    operationId: 'send_events',
    summary: 'Sends events to the endpoints that are enabled for them now and have not got them',
  })
  @ApiAcceptedResponse({ type: SentEventsDto })
  send(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Body() body: SendEventsDto,
  ): Promise<SentEventsDto> {
    return this.sendEvents.send(caller, form, body.event_ids);
  }
}

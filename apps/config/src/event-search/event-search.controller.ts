import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { EventSearchDto, EventSearchQueryDto } from '@form-webhooks/http-api';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, Scopes } from '../access/decorators.js';
import { ApiController } from '../http/documented.js';
import { EventSearch } from './event-search.js';

@ApiController('event-search', 'events')
export class EventSearchController {
  constructor(private readonly events: EventSearch) {}

  @Get()
  @Scopes('deliveries:read')
  @ApiOperation({
    operationId: 'find_event',
    summary: 'Did an event arrive, and where is it? Also of what waits, is parked or was refused, and of any form',
  })
  @ApiOkResponse({ type: EventSearchDto })
  find(@Caller() caller: CallerIdentity, @Query() query: EventSearchQueryDto): Promise<EventSearchDto> {
    return this.events.find(caller, query.id);
  }
}

import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { EventSearchDto, EventSearchQueryDto } from '@form-webhooks/http-api';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, InWorkspace, Scopes, Workspace } from '../access/decorators.js';
import { ApiController } from '../http/documented.js';
import { EventSearch } from './event-search.js';

@ApiController('event-search', 'events')
export class EventSearchController {
  constructor(private readonly events: EventSearch) {}

  @Get()
  @Scopes('deliveries:read')
  @InWorkspace('optional')
  @ApiOperation({
    operationId: 'find_event',
    summary: 'Did an event arrive, and where is it? Also of what waits, is parked or was refused, and of any form',
  })
  @ApiOkResponse({ type: EventSearchDto })
  find(
    @Caller() caller: CallerIdentity,
    @Workspace() workspaceId: string | undefined,
    @Query() query: EventSearchQueryDto,
  ): Promise<EventSearchDto> {
    return this.events.find(caller, workspaceId, query.id);
  }
}

import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { EndpointHealthListDto, EndpointHealthQueryDto } from '@form-webhooks/http-api';
import type { Form } from '@form-webhooks/storage';
import { FormInPath, Scopes } from '../access/decorators.js';
import { Answers, ApiController } from '../http/documented.js';
import { EndpointHealth } from './endpoint-health.js';

@ApiController('forms/:form_id/endpoint-health', 'endpoints')
@ApiParam({ name: 'form_id' })
@Answers(404, 'Unknown form or endpoint')
export class EndpointHealthController {
  constructor(private readonly health: EndpointHealth) {}

  @Get()
  @Scopes('endpoints:read', 'deliveries:read')
  @ApiOperation({
    operationId: 'list_endpoint_health',
    summary: 'How the endpoints of a form do: last outcome, failures in a row, the last day, what waits',
  })
  @ApiOkResponse({ type: EndpointHealthListDto })
  get(@FormInPath() form: Form, @Query() query: EndpointHealthQueryDto): Promise<EndpointHealthListDto> {
    return this.health.of(form, query.endpoint_id);
  }
}

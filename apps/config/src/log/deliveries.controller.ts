import { Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { DeliveryDetailDto, DeliveryListDto, DeliveryQueryDto } from '@form-webhooks/http-api';
import type { Form } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, FormInPath, Scopes } from '../access/decorators.js';
import { Answers, ApiController } from '../http/documented.js';
import { DeliveryLog } from './delivery-log.js';

@ApiController('forms/:form_id/deliveries', 'deliveries')
@ApiParam({ name: 'form_id' })
@Answers(404, 'Unknown form or delivery')
export class DeliveriesController {
  constructor(private readonly log: DeliveryLog) {}

  @Get()
  @Scopes('deliveries:read')
  @ApiOperation({ operationId: 'list_deliveries', summary: 'The delivery log of a form, newest first' })
  @ApiOkResponse({ type: DeliveryListDto })
  list(@FormInPath() form: Form, @Query() query: DeliveryQueryDto): Promise<DeliveryListDto> {
    return this.log.list(form, query);
  }

  @Get(':delivery_id')
  @Scopes('deliveries:read')
  @ApiOperation({
    operationId: 'get_delivery',
    summary: 'One delivery with its attempts; payloads only with the scope payload:read',
  })
  @ApiOkResponse({ type: DeliveryDetailDto })
  get(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Param('delivery_id') deliveryId: string,
  ): Promise<DeliveryDetailDto> {
    return this.log.detail(form, deliveryId, caller.may('payload:read'));
  }
}

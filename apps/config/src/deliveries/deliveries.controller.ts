import { Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import {
  AcceptedDeliveryDto,
  AttemptDto,
  DeliveryDetailDto,
  DeliveryListDto,
  DeliveryQueryDto,
} from '@form-webhooks/http-api';
import type { Form } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, FormInPath, Scopes } from '../access/decorators.js';
import { Answers, ApiController } from '../http/documented.js';
import { TakesIdempotencyKey } from '../idempotency/idempotency-key.js';
import { DeliveryLog } from './delivery-log.js';
import { Replay } from '../replays/replay.js';

@ApiController('forms/:form_id/deliveries', 'deliveries')
@ApiParam({ name: 'form_id' })
@Answers(404, 'Unknown form, delivery or attempt')
export class DeliveriesController {
  constructor(
    private readonly log: DeliveryLog,
    private readonly replay: Replay,
  ) {}

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
    return this.log.detail(caller, form, deliveryId);
  }

  @Get(':delivery_id/attempts/:attempt_id')
  @Scopes('deliveries:read')
  @ApiOperation({
    operationId: 'get_attempt',
    summary: 'One attempt with its body, which the delivery leaves out if it is long',
  })
  @ApiOkResponse({ type: AttemptDto })
  getAttempt(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Param('delivery_id') deliveryId: string,
    @Param('attempt_id') attemptId: string,
  ): Promise<AttemptDto> {
    return this.log.attempt(caller, form, deliveryId, attemptId);
  }

  @Post(':delivery_id/replay')
  @HttpCode(202)
  @Scopes('deliveries:replay')
  @TakesIdempotencyKey('Not final, its endpoint is switched off or deleted, or its payload was erased')
  @ApiOperation({ operationId: 'replay_delivery', summary: 'Sends a final delivery again, with the same delivery_id' })
  @ApiAcceptedResponse({ type: AcceptedDeliveryDto })
  async replayOne(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Param('delivery_id') deliveryId: string,
  ): Promise<AcceptedDeliveryDto> {
    await this.replay.one(caller, form, deliveryId);
    return { delivery_id: deliveryId };
  }
}

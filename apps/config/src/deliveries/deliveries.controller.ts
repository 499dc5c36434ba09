import { Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import {
  AcceptedDeliveryDto,
  AttemptDto,
  DeliveryDetailDto,
  DeliveryDto,
  DeliveryListDto,
  DeliveryQueryDto,
  DeliveryTotalDto,
  DeliveryTotalQueryDto,
} from '@form-webhooks/http-api';
import type { Form } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, FormInPath, Scopes } from '../access/decorators.js';
import { Answers, ApiController } from '../http/documented.js';
import { TakesIdempotencyKey } from '../idempotency/idempotency-key.js';
import { DeliveryLog } from './delivery-log.js';
import { DeliveryTotals } from './delivery-totals.js';
import { Replay } from '../replays/replay.js';

@ApiController('forms/:form_id/deliveries', 'deliveries')
@ApiParam({ name: 'form_id' })
@Answers(404, 'Unknown form, delivery or attempt')
export class DeliveriesController {
  constructor(
    private readonly log: DeliveryLog,
    private readonly totals: DeliveryTotals,
    private readonly replay: Replay,
  ) {}

  @Get()
  @Scopes('deliveries:read')
  @ApiOperation({ operationId: 'list_deliveries', summary: 'The delivery log of a form' })
  @ApiOkResponse({ type: DeliveryListDto })
  list(@FormInPath() form: Form, @Query() query: DeliveryQueryDto): Promise<DeliveryListDto> {
    return this.log.list(form, query);
  }

  @Get('total')
  @Scopes('deliveries:read')
  @ApiOperation({ operationId: 'count_deliveries', summary: 'How many deliveries a list with these conditions has' })
  @ApiOkResponse({ type: DeliveryTotalDto })
  total(@FormInPath() form: Form, @Query() query: DeliveryTotalQueryDto): Promise<DeliveryTotalDto> {
    return this.totals.of(form, query);
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

  @Post(':delivery_id/retry')
  @HttpCode(202)
  @Scopes('deliveries:replay')
  @TakesIdempotencyKey(
    'It waits for nothing (`final`, `due_now`), its endpoint is switched off or deleted, or its payload was erased',
  )
  @ApiOperation({
    operationId: 'retry_delivery',
    summary: 'Attempts a delivery now that waits; the schedule begins anew, as the next generation',
  })
  @ApiAcceptedResponse({ type: AcceptedDeliveryDto })
  async retryNow(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Param('delivery_id') deliveryId: string,
  ): Promise<AcceptedDeliveryDto> {
    await this.replay.retryNow(caller, form, deliveryId);
    return { delivery_id: deliveryId };
  }

  @Post(':delivery_id/cancel')
  @HttpCode(200)
  @Scopes('deliveries:replay')
  @TakesIdempotencyKey('It waits for nothing (`final`, `due_now`)')
  @ApiOperation({
    operationId: 'cancel_delivery',
    summary: 'Calls off a delivery that waits; it can be replayed later',
  })
  @ApiOkResponse({ type: DeliveryDto })
  async cancel(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Param('delivery_id') deliveryId: string,
  ): Promise<DeliveryDto> {
    await this.replay.cancel(caller, form, deliveryId);
    return this.log.one(form, deliveryId);
  }
}

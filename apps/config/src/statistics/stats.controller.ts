import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { StatsDto, StatsQueryDto } from '@form-webhooks/http-api';
import type { Form } from '@form-webhooks/storage';
import { FormInPath, Scopes } from '../access/decorators.js';
import { Answers, ApiController } from '../http/documented.js';
import { DeliveryStats } from './delivery-stats.js';

@ApiController('forms/:form_id/stats', 'deliveries')
@ApiParam({ name: 'form_id' })
@Answers(404, 'Unknown form')
export class StatsController {
  constructor(private readonly stats: DeliveryStats) {}

  @Get()
  @Scopes('deliveries:read')
  @ApiOperation({
    operationId: 'get_stats',
    summary: 'Per endpoint: counts by state, success rate, latency percentiles, time series',
  })
  @ApiOkResponse({ type: StatsDto })
  get(@FormInPath() form: Form, @Query() query: StatsQueryDto): Promise<StatsDto> {
    return this.stats.of(form, query);
  }
}

import { Body, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { EVENT_NAMES } from '@form-webhooks/domain';
import { AcceptedTestDto, TestSendDto } from '@form-webhooks/http-api';
import type { Form } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, FormInPath, Scopes } from '../access/decorators.js';
import { Answers, ApiController, WITH_LOCATION } from '../http/documented.js';
import { LINKS_OF_DELIVERY } from '../http/openapi/links.js';
import { TakesIdempotencyKey } from '../idempotency/idempotency-key.js';
import { TestSend } from './test-send.js';

@ApiController('forms/:form_id/endpoints/:endpoint_id/test', 'endpoints')
@ApiParam({ name: 'form_id' })
@ApiParam({ name: 'endpoint_id' })
@Answers(404, 'Unknown form or endpoint')
export class TestSendsController {
  constructor(private readonly tests: TestSend) {}

  @Post()
  @HttpCode(202)
  @Scopes('endpoints:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    operationId: 'send_test',
    summary: 'Sends a sample to this endpoint alone, also when it is disabled, marked as a test in the log',
  })
  @ApiAcceptedResponse({ type: AcceptedTestDto, headers: WITH_LOCATION, links: LINKS_OF_DELIVERY })
  async send(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Param('endpoint_id') id: string,
    @Body() body: TestSendDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AcceptedTestDto> {
    const sample = { event: body.event ?? EVENT_NAMES[0], fields: body.fields };
    const accepted = await this.tests.send(caller, form, id, sample);
    reply.header('location', `/v1/forms/${form.id}/deliveries/${accepted.delivery_id}`);
    return accepted;
  }
}

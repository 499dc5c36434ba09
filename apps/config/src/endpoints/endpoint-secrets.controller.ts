import { Body, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { RegenerateSecretDto, RotatedSecretDto, SecretOverlapDto, SecretStateDto } from '@form-webhooks/http-api';
import type { Form } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, FormInPath, Scopes } from '../access/decorators.js';
import { Answers, ApiController } from '../http/documented.js';
import { TakesIdempotencyKey } from '../idempotency/idempotency-key.js';
import { EndpointViews } from './endpoint-views.js';
import { SecretRotation } from './secret-rotation.js';
import { SecretOverlap } from './secrets/secret-overlap.js';
import { SecretViews, showSecret } from './secrets/secret-views.js';

@ApiController('forms/:form_id/endpoints/:endpoint_id/secret', 'endpoints')
@ApiParam({ name: 'form_id' })
@ApiParam({ name: 'endpoint_id' })
@Answers(404, 'Unknown form or endpoint')
export class EndpointSecretsController {
  constructor(
    private readonly rotation: SecretRotation,
    private readonly views: EndpointViews,
    private readonly secrets: SecretViews,
    private readonly overlap: SecretOverlap,
  ) {}

  @Get()
  @Scopes('endpoints:read')
  @ApiOperation({
    operationId: 'get_secret_state',
    summary:
      'Which signing secrets are valid, prepared or about to end, and what the next step would end; never a secret',
  })
  @ApiOkResponse({ type: SecretStateDto })
  state(@FormInPath() form: Form, @Param('endpoint_id') id: string): Promise<SecretStateDto> {
    return this.secrets.of(form, id);
  }

  @Post('prepare')
  @HttpCode(200)
  @Scopes('secrets:write')
  @TakesIdempotencyKey()
  @ApiOperation({ operationId: 'prepare_secret', summary: 'Shows the next secret once; it has no effect yet' })
  @ApiOkResponse({ type: RotatedSecretDto })
  async prepare(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Param('endpoint_id') id: string,
  ): Promise<RotatedSecretDto> {
    const { endpoint, secret, ended } = await this.rotation.prepare(caller, form, id);
    return { ...(await this.views.of(form, endpoint)), secret, ended: ended.map(showSecret) };
  }

  @Post('regenerate')
  @HttpCode(200)
  @Scopes('secrets:write')
  @TakesIdempotencyKey('Too many earlier secrets are still valid')
  @ApiOperation({ operationId: 'regenerate_secret', summary: 'Signs with the prepared or a fresh secret from now on' })
  @ApiOkResponse({ type: RotatedSecretDto })
  async regenerate(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Param('endpoint_id') id: string,
    @Body() body: RegenerateSecretDto,
  ): Promise<RotatedSecretDto> {
    const { endpoint, secret, ended } = await this.rotation.regenerate(caller, form, id, body.overlap_seconds ?? 0);
    return { ...(await this.views.of(form, endpoint)), secret, ended: ended.map(showSecret) };
  }

  @Put('previous/:secret_id')
  @Scopes('secrets:write')
  @ApiParam({ name: 'secret_id' })
  @ApiOperation({
    operationId: 'set_secret_overlap',
    summary: 'Ends the overlap of an earlier secret, or moves its end',
  })
  @ApiOkResponse({ type: SecretStateDto })
  @Answers(404, 'Unknown form or endpoint, or no such secret is valid any more')
  async endPrevious(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Param('endpoint_id') id: string,
    @Param('secret_id') secretId: string,
    @Body() body: SecretOverlapDto,
  ): Promise<SecretStateDto> {
    await this.overlap.end(caller, form, id, secretId, body.overlap_seconds);
    return this.secrets.of(form, id);
  }
}

import { Body, Delete, Get, Headers, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  CreateEndpointDto,
  EndpointDto,
  EndpointListDto,
  EndpointWithSecretDto,
  PageQueryDto,
  UpdateEndpointDto,
} from '@form-webhooks/http-api';
import type { Form } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, FormInPath, Scopes } from '../access/decorators.js';
import { Answers, ApiController, WITH_ETAG, WITH_LOCATION } from '../http/documented.js';
import { LINKS_OF_ENDPOINT } from '../http/openapi/links.js';
import { etagOf } from '../http/etag.js';
import { TakesIdempotencyKey } from '../idempotency/idempotency-key.js';
import { EndpointEditor } from './endpoint-editor.js';
import { EndpointViews } from './endpoint-views.js';

@ApiController('forms/:form_id/endpoints', 'endpoints')
@ApiParam({ name: 'form_id' })
@Answers(404, 'Unknown form or endpoint')
export class EndpointsController {
  constructor(
    private readonly editor: EndpointEditor,
    private readonly views: EndpointViews,
  ) {}

  @Get()
  @Scopes('endpoints:read')
  @ApiOperation({ operationId: 'list_endpoints', summary: 'The endpoints of a form, oldest first' })
  @ApiOkResponse({ type: EndpointListDto })
  list(@FormInPath() form: Form, @Query() query: PageQueryDto): Promise<EndpointListDto> {
    return this.views.list(form, query);
  }

  @Post()
  @Scopes('endpoints:write')
  @TakesIdempotencyKey('The form has as many endpoints as it can have, or one with this URL (`url_in_use`)')
  @ApiOperation({
    operationId: 'create_endpoint',
    summary: 'Checks the URL and adds an endpoint; shows its secret once',
  })
  @ApiCreatedResponse({
    type: EndpointWithSecretDto,
    headers: { ...WITH_ETAG, ...WITH_LOCATION },
    links: LINKS_OF_ENDPOINT,
  })
  @Answers(503, 'The URL can not be checked now')
  async create(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Body() body: CreateEndpointDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointWithSecretDto> {
    const { endpoint, secret } = await this.editor.create(caller, form, body);
    const location = `/v1/forms/${form.id}/endpoints/${endpoint.id}`;
    reply.headers({ etag: etagOf(endpoint.version), location });
    return { ...(await this.views.of(form, endpoint)), secret: secret.plaintext };
  }

  @Get(':endpoint_id')
  @Scopes('endpoints:read')
  @ApiOperation({ operationId: 'get_endpoint', summary: 'One endpoint, with its version as ETag' })
  @ApiOkResponse({ type: EndpointDto, headers: WITH_ETAG })
  async get(
    @FormInPath() form: Form,
    @Param('endpoint_id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointDto> {
    const endpoint = await this.views.one(form, id);
    reply.header('etag', etagOf(endpoint.version));
    return endpoint;
  }

  @Patch(':endpoint_id')
  @Scopes('endpoints:write')
  @TakesIdempotencyKey('Another endpoint of the form has the URL (`url_in_use`)')
  @ApiOperation({ operationId: 'update_endpoint', summary: 'Changes what is given; a new URL is checked first' })
  @ApiHeader({ name: 'if-match', required: false, description: 'The ETag that was read' })
  @ApiOkResponse({ type: EndpointDto, headers: WITH_ETAG })
  @Answers(412, 'It has changed since it was read')
  @Answers(503, 'The URL can not be checked now')
  async update(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Param('endpoint_id') id: string,
    @Body() body: UpdateEndpointDto,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointDto> {
    const endpoint = await this.editor.update(caller, form, id, body, ifMatch);
    reply.header('etag', etagOf(endpoint.version));
    return this.views.of(form, endpoint);
  }

  @Delete(':endpoint_id')
  @HttpCode(204)
  @Scopes('endpoints:write')
  @ApiOperation({ operationId: 'delete_endpoint', summary: 'Deletes an endpoint; what waits for it is cancelled' })
  @ApiHeader({ name: 'if-match', required: false, description: 'The ETag that was read' })
  @ApiNoContentResponse()
  @Answers(412, 'It has changed since it was read')
  remove(
    @Caller() caller: CallerIdentity,
    @FormInPath() form: Form,
    @Param('endpoint_id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<void> {
    return this.editor.remove(caller, form, id, ifMatch);
  }
}

import { Body, Delete, Get, HttpCode, Param, Put, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { FORM_ID_FORMAT } from '@form-webhooks/domain';
import { FormDto, RegisterFormDto } from '@form-webhooks/http-api';
import type { Form } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, FormInPath, FormMayBeUnknown, Scopes } from '../access/decorators.js';
import { Answers, ApiController } from '../http/documented.js';
import { LINKS_OF_FORM } from '../http/openapi/links.js';
import { invalid } from '../http/problems.js';
import { FormRegistry } from './form-registry.js';
import { showForm } from './form-views.js';

@ApiController('forms/:form_id', 'forms')
export class FormsController {
  constructor(private readonly forms: FormRegistry) {}

  @Put()
  @Scopes('forms:write')
  @FormMayBeUnknown()
  @ApiOperation({ operationId: 'register_form', summary: 'Registers a form or renames it' })
  @ApiParam({ name: 'form_id', schema: { type: 'string', pattern: FORM_ID_FORMAT.pattern.source } })
  @ApiOkResponse({ type: FormDto, links: LINKS_OF_FORM })
  @ApiCreatedResponse({ type: FormDto, links: LINKS_OF_FORM })
  @Answers(409, 'The form belongs to another workspace')
  async register(
    @Caller() caller: CallerIdentity,
    @Param('form_id') id: string,
    @Body() body: RegisterFormDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FormDto> {
    if (!FORM_ID_FORMAT.pattern.test(id)) {
      throw invalid({ field: 'form_id', code: 'format', message: `form_id must be ${FORM_ID_FORMAT.words}.` });
    }
    const { form, created } = await this.forms.register(caller, id, body);
    reply.status(created ? 201 : 200);
    return showForm(form);
  }

  @Get()
  @Scopes('endpoints:read')
  @ApiOperation({ operationId: 'get_form', summary: 'One form' })
  @ApiParam({ name: 'form_id' })
  @ApiOkResponse({ type: FormDto })
  @Answers(404, 'Unknown form')
  get(@FormInPath() form: Form): FormDto {
    return showForm(form);
  }

  @Delete()
  @HttpCode(204)
  @Scopes('forms:write')
  @ApiOperation({ operationId: 'remove_form', summary: 'Removes a form with its endpoints; cancels what is in flight' })
  @ApiParam({ name: 'form_id' })
  @ApiNoContentResponse()
  @Answers(404, 'Unknown form')
  remove(@Caller() caller: CallerIdentity, @FormInPath() form: Form): Promise<void> {
    return this.forms.remove(caller, form);
  }
}

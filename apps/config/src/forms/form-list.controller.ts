import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { FormListDto, FormQueryDto } from '@form-webhooks/http-api';
import { InWorkspace, Scopes, Workspace } from '../access/decorators.js';
import { ApiController } from '../http/documented.js';
import { FormViews } from './form-views.js';

@ApiController('forms', 'forms')
export class FormListController {
  constructor(private readonly views: FormViews) {}

  @Get()
  @Scopes('endpoints:read')
  @InWorkspace('optional')
  @ApiOperation({ operationId: 'list_forms', summary: 'The forms that the caller may see, newest first' })
  @ApiOkResponse({ type: FormListDto })
  list(@Workspace() workspaceId: string | undefined, @Query() query: FormQueryDto): Promise<FormListDto> {
    return this.views.list(workspaceId, query);
  }
}

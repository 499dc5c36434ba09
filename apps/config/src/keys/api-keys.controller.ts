import { Body, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import {
  ApiKeyListDto,
  ApiKeyQueryDto,
  ApiKeyScopeDto,
  CreateApiKeyDto,
  CreatedApiKeyDto,
} from '@form-webhooks/http-api';
import { CallerIdentity } from '../access/caller-identity.js';
import { Caller, InWorkspace, Scopes, Workspace } from '../access/decorators.js';
import { Answers, ApiController } from '../http/documented.js';
import { TakesIdempotencyKey } from '../idempotency/idempotency-key.js';
import { KeyRegistry } from './key-registry.js';

@ApiController('api-keys', 'api-keys')
export class ApiKeysController {
  constructor(private readonly keys: KeyRegistry) {}

  @Post()
  @Scopes('keys:write')
  @TakesIdempotencyKey()
  @ApiOperation({ operationId: 'create_api_key', summary: 'Makes a key and shows it once' })
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  create(@Caller() caller: CallerIdentity, @Body() body: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    return this.keys.create(caller, body);
  }

  @Get()
  @Scopes('keys:write')
  @InWorkspace('optional')
  @ApiOperation({ operationId: 'list_api_keys', summary: 'The keys of a workspace, newest first' })
  @ApiOkResponse({ type: ApiKeyListDto })
  list(
    @Caller() caller: CallerIdentity,
    @Workspace() workspaceId: string | undefined,
    @Query() query: ApiKeyQueryDto,
  ): Promise<ApiKeyListDto> {
    return this.keys.list(this.keys.owner(caller, workspaceId, query.kind), query);
  }

  @Delete(':key_id')
  @HttpCode(204)
  @Scopes('keys:write')
  @InWorkspace('optional')
  @ApiOperation({ operationId: 'revoke_api_key', summary: 'Revokes a key at once' })
  @ApiNoContentResponse()
  @Answers(404, 'Unknown key')
  revoke(
    @Caller() caller: CallerIdentity,
    @Workspace() workspaceId: string | undefined,
    @Query() query: ApiKeyScopeDto,
    @Param('key_id') id: string,
  ): Promise<void> {
    return this.keys.revoke(caller, this.keys.owner(caller, workspaceId, query.kind), id);
  }
}

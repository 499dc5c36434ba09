import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { AuditListDto, AuditQueryDto, type AuditEntryDto } from '@form-webhooks/http-api';
import { searchAudit, type StoredAuditEntry } from '@form-webhooks/storage';
import { InWorkspace, Scopes, Workspace } from '../access/decorators.js';
import { ApiController } from '../http/documented.js';
import { encodeCursor, pageLimit, readSequenceCursor, toPage } from '../http/page.js';
import { ApiSettings } from '../http/api-settings.js';
import { LogReads } from '../in-flight/log-reads.js';

@ApiController('audit-log', 'audit log')
export class AuditLogController {
  constructor(
    private readonly reads: LogReads,
    private readonly settings: ApiSettings,
  ) {}

  @Get()
  @Scopes('audit:read')
  @InWorkspace('required_or_none')
  @ApiOperation({ operationId: 'list_audit_entries', summary: 'Who changed what in the workspace, newest first' })
  @ApiOkResponse({ type: AuditListDto })
  async list(@Workspace() workspaceId: string, @Query() query: AuditQueryDto): Promise<AuditListDto> {
    const limit = pageLimit(query, this.settings.maxPageSize);
    const beforeSeq = query.cursor === undefined ? undefined : readSequenceCursor(query.cursor);
    const filter = {
      formId: query.form_id,
      actor: query.actor,
      action: query.action,
      from: query.from === undefined ? undefined : new Date(query.from),
      to: query.to === undefined ? undefined : new Date(query.to),
    };
    // A chain only grows, and who asks for an actor or an action may have to be told of few among very many.
    const rows = await this.reads.read(workspaceId, (tx) =>
      searchAudit(tx, workspaceId, filter, { limit: limit + 1, beforeSeq }),
    );
    return toPage(rows, limit, showEntry, (row) => encodeCursor([row.seq]));
  }
}

const showEntry = ({ text, hash }: StoredAuditEntry): AuditEntryDto => ({
  ...(JSON.parse(text) as Omit<AuditEntryDto, 'hash'>),
  hash,
});

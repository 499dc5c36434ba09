import { Injectable } from '@nestjs/common';
import type { FormDto, FormListDto, FormQueryDto } from '@form-webhooks/http-api';
import { DataSource, listForms, type Form } from '@form-webhooks/storage';
import { ApiSettings } from '../http/api-settings.js';
import { pageLimit, readRowCursor, rowCursor, toPage } from '../http/page.js';
import { invalid } from '../http/problems.js';

/** Forms as the API shows them. */
@Injectable()
export class FormViews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: ApiSettings,
  ) {}

  /** @param workspaceId undefined for all workspaces, which only service keys see. @throws Problem 422 */
  async list(workspaceId: string | undefined, query: FormQueryDto): Promise<FormListDto> {
    const { text } = query;
    // No index finds a part of a name: it is looked for in the forms of one workspace, never in those of all.
    if (text !== undefined && workspaceId === undefined) throw workspaceNeeded();
    const limit = pageLimit(query, this.settings.maxPageSize);
    const page = { limit: limit + 1, after: readRowCursor(query.cursor) };
    const rows = await listForms(this.dataSource.manager, { workspaceId, text }, page);
    return toPage(rows, limit, showForm, rowCursor);
  }
}

export const showForm = (form: Form): FormDto => ({
  id: form.id,
  workspace_id: form.workspaceId,
  name: form.name,
  created_at: form.createdAt.toISOString(),
  updated_at: form.updatedAt.toISOString(),
});

const workspaceNeeded = () =>
  invalid({
    field: 'workspace_id',
    code: 'required',
    message: 'Name the workspace as workspace_id to search its forms.',
  });

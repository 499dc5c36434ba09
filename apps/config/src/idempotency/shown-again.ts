import { Injectable } from '@nestjs/common';
import { NO_WORKSPACE, type AuditEvent } from '@form-webhooks/storage';
import type { AccessRequest } from '../access/access-request.js';
import { Changes } from '../changes/changes.js';

/** What an answer may have in it that is shown once. */
interface ShowingAnswer {
  readonly id?: unknown;
  readonly secret?: unknown;
  readonly key?: unknown;
  readonly workspace_id?: unknown;
}

/** Writes down that a secret is shown once more, to whoever repeats the call that made it. */
@Injectable()
export class ShownAgain {
  constructor(private readonly changes: Changes) {}

  /** Resolves once the entry is there: no secret is shown without one. Most answers have none. */
  async note({ caller, form }: AccessRequest, answer: unknown): Promise<void> {
    const event = entryFor(answer, form);
    if (!event) return;
    await this.changes.commit(caller!, (change) => {
      change.audit(event);
      return Promise.resolve();
    });
  }
}

function entryFor(answer: unknown, form: AccessRequest['form']): AuditEvent | undefined {
  const { id, secret, key, workspace_id: workspaceId } = (answer ?? {}) as ShowingAnswer;
  if (typeof secret === 'string' && form) {
    const target = { type: 'endpoint', id: String(id) };
    return { workspaceId: form.workspaceId, formId: form.id, action: 'secret.shown_again', target };
  }
  if (typeof key !== 'string') return undefined;
  const owner = typeof workspaceId === 'string' ? workspaceId : NO_WORKSPACE;
  return {
    workspaceId: owner,
    formId: null,
    action: 'api_key.shown_again',
    target: { type: 'api_key', id: String(id) },
  };
}

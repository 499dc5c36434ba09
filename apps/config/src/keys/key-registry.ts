import { Injectable } from '@nestjs/common';
import { generateApiKey, type ApiKeyReference } from '@form-webhooks/domain';
import {
  type ApiKeyDto,
  type CreateApiKeyDto,
  type CreatedApiKeyDto,
  type PageQueryDto,
  type Scope,
} from '@form-webhooks/http-api';
import { conflict, forbidden } from '@form-webhooks/http-edge';
import {
  countApiKeys,
  DataSource,
  endGrantsOfKey,
  insertApiKey,
  listApiKeys,
  lockSubject,
  LOCKS,
  NO_WORKSPACE,
  revokeApiKey,
  type ApiKey,
  type ApiKeyKind,
  type AuditEvent,
} from '@form-webhooks/storage';
import type { CallerIdentity } from '../access/caller-identity.js';
import { Changes } from '../changes/changes.js';
import { pageLimit, readRowCursor, rowCursor, toPage, type Page } from '../http/page.js';
import { ApiSettings } from '../http/api-settings.js';
import { invalid, notFound } from '../http/problems.js';
import { nameOfKey } from '../live/credentials.js';
import { NoticeSender } from '../live/notice-sender.js';
import { expiryOf, expiryProblems, scopeProblems } from './key-rules.js';

/** Whose keys: a workspace's, or (null) the service keys, which belong to none. */
export type KeyOwner = string | null;

/** Keys live side by side while they are rotated; nobody rotates this many. */
const MAX_KEYS_PER_OWNER = 100;

/** Makes, lists and revokes API keys. */
@Injectable()
export class KeyRegistry {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: Changes,
    private readonly settings: ApiSettings,
    private readonly notices: NoticeSender,
  ) {}

  /** @throws Problem 403 or 422 if the caller can't speak for that owner */
  owner(caller: CallerIdentity, workspaceId: string | undefined, kind: ApiKeyKind = 'workspace'): KeyOwner {
    if (kind === 'service') {
      if (!caller.isService) throw forbidden('Only a service key deals with service keys.');
      if (workspaceId === undefined) return null;
      throw workspaceProblem('not_allowed', 'Service keys belong to no workspace.');
    }
    if (workspaceId !== undefined) return workspaceId;
    throw workspaceProblem('required', 'A service key names the workspace as workspace_id.');
  }

  async create(caller: CallerIdentity, given: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    if (!caller.isService && given.workspace_id !== undefined) {
      throw workspaceProblem('not_allowed', 'Only service keys name a workspace.');
    }
    const kind = given.kind ?? 'workspace';
    const owner = this.owner(caller, given.workspace_id ?? caller.workspaceId ?? undefined, kind);
    const problems = [...scopeProblems(caller, kind, given.scopes), ...expiryProblems(given.expires_at)];
    if (problems.length > 0) throw invalid(...problems);
    const { key, ...reference } = generateApiKey();
    const stored = await this.changes.commit(caller, async (change) => {
      // One after the other: two at a time would both find room for the last one.
      await lockSubject(change.tx, LOCKS.apiKeys, owner ?? '');
      if ((await countApiKeys(change.tx, owner, change.at)) >= MAX_KEYS_PER_OWNER) {
        throw conflict(`There are ${MAX_KEYS_PER_OWNER} keys already; revoke one first.`, 'limit_reached');
      }
      const fresh = newKey(reference, caller, { ...given, owner, at: change.at });
      await insertApiKey(change.tx, fresh);
      change.audit({
        ...auditOf(fresh, 'api_key.created'),
        changes: [
          { field: 'name', old: null, new: fresh.name },
          { field: 'kind', old: null, new: fresh.kind },
          { field: 'scopes', old: null, new: fresh.scopes },
          { field: 'expires_at', old: null, new: fresh.expiresAt },
        ],
      });
      return fresh;
    });
    return { ...showKey(stored), key };
  }

  async list(owner: KeyOwner, query: PageQueryDto): Promise<Page<ApiKeyDto>> {
    const limit = pageLimit(query, this.settings.maxPageSize);
    const rows = await listApiKeys(this.dataSource.manager, owner, limit + 1, readRowCursor(query.cursor));
    return toPage(rows, limit, showKey, rowCursor);
  }

  /**
   * Takes effect at once: here with the next request, in the ingest service as soon as it hears of it. What it opened
   * of the dashboard ends with it, and its live streams.
   */
  async revoke(caller: CallerIdentity, owner: KeyOwner, id: string): Promise<void> {
    await this.changes.commit(caller, async (change) => {
      const key = await revokeApiKey(change.tx, owner, id, change.at);
      if (!key) throw notFound('key');
      change.audit({ ...auditOf(key, 'api_key.revoked'), changes: [{ field: 'name', old: key.name, new: null }] });
      await endGrantsOfKey(change.tx, id);
      await change.announce({ kind: 'api_key', key_id: id });
    });
    await this.notices.tellEnd(nameOfKey(id));
  }
}

interface GivenKey extends CreateApiKeyDto {
  readonly owner: KeyOwner;
  readonly at: Date;
}

function newKey(reference: ApiKeyReference, by: CallerIdentity, given: GivenKey): ApiKey {
  return {
    ...reference,
    name: given.name,
    kind: given.kind ?? 'workspace',
    workspaceId: given.owner,
    scopes: given.scopes,
    expiresAt: expiryOf(by, given.expires_at),
    lastUsedAt: null,
    createdAt: given.at,
    revokedAt: null,
  };
}

const auditOf = (key: ApiKey, action: string): AuditEvent => ({
  workspaceId: key.workspaceId ?? NO_WORKSPACE,
  formId: null,
  action,
  target: { type: 'api_key', id: key.id },
});

const workspaceProblem = (code: string, message: string) => invalid({ field: 'workspace_id', code, message });

const showKey = (key: ApiKey): ApiKeyDto => ({
  id: key.id,
  name: key.name,
  kind: key.kind,
  workspace_id: key.workspaceId,
  scopes: key.scopes as Scope[],
  expires_at: key.expiresAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  created_at: key.createdAt.toISOString(),
});

import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { SCOPES, type Scope } from '@form-webhooks/http-api';
import type { DataSource } from '@form-webhooks/storage';
import { describe, expect, it } from 'vitest';
import { AccessGuard } from './access.guard.js';
import { CallerIdentity } from './caller-identity.js';
import { InWorkspace, Scopes } from './decorators.js';

class Routes {
  @Scopes('audit:read')
  @InWorkspace('required_or_none')
  audit(): void {}

  @Scopes('audit:read')
  @InWorkspace()
  other(): void {}

  @Scopes('audit:read')
  @InWorkspace('optional')
  listed(): void {}
}

const guard = new AccessGuard(new Reflector(), {} as DataSource);
const callerOf = (workspaceId: string | null, scopes: readonly Scope[] = SCOPES): CallerIdentity =>
  new CallerIdentity('key:k', 'k', '::1', workspaceId, new Set(scopes));
const OPERATOR = callerOf(null);

/** Which workspace a call is about, as its handler is told. */
async function asked(route: keyof Routes, workspace_id: string | undefined, caller = OPERATOR): Promise<unknown> {
  const query = workspace_id === undefined ? {} : { workspace_id };
  const request: { caller: CallerIdentity; query: object; params: object; workspaceId?: string } = {
    caller,
    query,
    params: {},
  };
  const context = {
    getType: () => 'http',
    getHandler: () => Routes.prototype[route],
    switchToHttp: () => ({ getRequest: () => request }),
  };
  await guard.canActivate(context as unknown as ExecutionContext);
  return request.workspaceId;
}

const refusal = (code: string) => ({ status: 422, more: { errors: [{ field: 'workspace_id', code }] } });

describe('the workspace that a service key names', () => {
  it('may be that of what belongs to none, where a route says so', async () => {
    expect(await asked('audit', '-')).toBe('-');
    expect(await asked('audit', 'ws_one')).toBe('ws_one');
    for (const name of ['', '--', '-ws_one', 'ws_']) {
      await expect(asked('audit', name), name).rejects.toMatchObject(refusal('format'));
    }
    await expect(asked('audit', undefined)).rejects.toMatchObject(refusal('required'));
    for (const route of ['other', 'listed'] as const) {
      await expect(asked(route, '-'), route).rejects.toMatchObject(refusal('format'));
    }
  });

  it('is theirs to name alone, and with the scope', async () => {
    await expect(asked('audit', '-', callerOf('ws_one'))).rejects.toMatchObject(refusal('not_allowed'));
    expect(await asked('audit', undefined, callerOf('ws_one'))).toBe('ws_one');
    await expect(asked('audit', '-', callerOf(null, ['events:write']))).rejects.toMatchObject({ status: 403 });
  });
});

import { WORKSPACE_SCOPES } from '@form-webhooks/http-api';
import type { DashboardGrant } from '@form-webhooks/storage';
import { describe, expect, it } from 'vitest';
import { CallerIdentity } from '../access/caller-identity.js';
import { expiryOf, scopeProblems } from './key-rules.js';

const [SOON, LATER] = ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'];

function caller(keyId: string | null, expiresAt: string | null = null): CallerIdentity {
  const by = new CallerIdentity(keyId ?? 'user:u_1', keyId, null, 'ws_1', new Set(WORKSPACE_SCOPES));
  by.expiresAt = expiresAt === null ? null : new Date(expiresAt);
  return by;
}

describe('a key', () => {
  it.each([
    ['that a key makes ends with it', caller('key_1', SOON), null, SOON],
    ['that a key makes ends with it, whatever was asked for', caller('key_1', SOON), LATER, SOON],
    ['that a key makes may end before it', caller('key_1', LATER), SOON, SOON],
    ['that a lasting key makes lasts', caller('key_1'), null, null],
    ['that a person makes outlives the session or token', caller(null, SOON), LATER, LATER],
    ['that a person makes may last', caller(null, SOON), null, null],
  ])('%s', (_, by, wanted, ends) => {
    expect(expiryOf(by, wanted)?.toISOString() ?? null).toBe(ends);
  });

  it('that a session makes can neither make keys nor open the dashboard', () => {
    const session = caller(null);
    session.session = { hash: 'hash' } as DashboardGrant;
    expect(scopeProblems(session, 'workspace', WORKSPACE_SCOPES)).toEqual([
      expect.objectContaining({ field: 'scopes', code: 'not_allowed' }),
    ]);
    expect(scopeProblems(session, 'workspace', ['endpoints:write', 'audit:read'])).toEqual([]);
    expect(scopeProblems(caller('key_1'), 'workspace', WORKSPACE_SCOPES)).toEqual([]);
  });
});

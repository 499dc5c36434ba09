import type { DashboardGrant } from '@form-webhooks/storage';
import { describe, expect, it, vi } from 'vitest';
import { CallerIdentity } from '../access/caller-identity.js';
import { DashboardController } from './dashboard.controller.js';
import type { DashboardSessions } from './dashboard-sessions.js';

const EXPIRES_AT = new Date('2026-11-28T10:00:00.000Z');
const session: DashboardGrant = {
  hash: 'hash',
  kind: 'session',
  workspaceId: 'ws_1',
  actor: 'user:u_1',
  scopes: ['endpoints:read'],
  formId: 'f_1',
  hostUrl: null,
  keyId: null,
  createdAt: new Date(0),
  expiresAt: EXPIRES_AT,
};

function caller(given: DashboardGrant | undefined): CallerIdentity {
  const identity = new CallerIdentity('user:u_1', null, null, 'ws_1', new Set());
  identity.session = given;
  return identity;
}

describe("a dashboard's session", () => {
  const sessions = { end: vi.fn() };
  const controller = new DashboardController(sessions as unknown as DashboardSessions);

  it('is told of as it was read when its caller was identified, and read no second time', () => {
    expect(controller.find(caller(session))).toEqual({
      actor: 'user:u_1',
      workspace_id: 'ws_1',
      scopes: ['endpoints:read'],
      form_id: 'f_1',
      host_url: null,
      expires_at: EXPIRES_AT.toISOString(),
    });
  });

  it('is nobody who has come with a key', () => {
    expect(() => controller.find(caller(undefined))).toThrow(expect.objectContaining({ status: 401 }) as Error);
  });
});

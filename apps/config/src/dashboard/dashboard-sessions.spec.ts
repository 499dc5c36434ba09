import { expect, it } from 'vitest';
import type { Scope } from '@form-webhooks/http-api';
import type { DataSource, Transaction } from '@form-webhooks/storage';
import { CallerIdentity } from '../access/caller-identity.js';
import type { RequestBudget } from '../access/request-budget.js';
import type { Change } from '../changes/change.js';
import type { Changes } from '../changes/changes.js';
import type { NoticeSender } from '../live/notice-sender.js';
import type { DashboardSettings } from './dashboard-settings.js';
import { DashboardSessions } from './dashboard-sessions.js';

it('a code lasts by the clock of the database, whatever the clock of the replica says that makes it', async () => {
  const NOW = new Date('2020-01-01T00:00:00.000Z');
  const kept: unknown[] = [];
  const tx = { insert: async (_entity: unknown, grant: unknown) => void kept.push(grant) } as unknown as Transaction;
  const change = { tx, at: NOW, audit: () => undefined } as unknown as Change;
  const changes = { commit: <T>(_by: unknown, work: (change: Change) => Promise<T>) => work(change) };
  const manager = { findOneBy: async () => ({ id: 'f_a', workspaceId: 'ws_a' }) };
  const sessions = new DashboardSessions(
    { manager } as unknown as DataSource,
    changes as unknown as Changes,
    {} as RequestBudget,
    { codeMs: 60_000 } as DashboardSettings,
    {} as NoticeSender,
  );
  const person = new CallerIdentity('user:u_1', null, '192.0.2.1', 'ws_a', new Set<Scope>(['endpoints:read']));
  const { expires_at } = await sessions.createCode(person, { form_id: 'f_a' });
  expect(expires_at).toBe('2020-01-01T00:01:00.000Z');
  expect(kept).toMatchObject([{ createdAt: NOW, expiresAt: new Date(expires_at) }]);
});

import type { FastifyReply } from 'fastify';
import { expect, it } from 'vitest';
import type { Scope } from '@form-webhooks/http-api';
import type { DataSource, Transaction } from '@form-webhooks/storage';
import type { AccessRequest } from '../access/access-request.js';
import { CallerIdentity } from '../access/caller-identity.js';
import type { RequestBudget } from '../access/request-budget.js';
import type { Change } from '../changes/change.js';
import type { Changes } from '../changes/changes.js';
import type { NoticeSender } from '../live/notice-sender.js';
import { DashboardController } from './dashboard.controller.js';
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

it('a session lasts by the clock of the database, too: its cookie does not go at once where a replica is ahead', async () => {
  const NOW = new Date('2020-01-01T00:00:00.000Z');
  const code = {
    keyId: null,
    scopes: [],
    expiresAt: new Date(NOW.getTime() + 1),
    actor: 'user:u_1',
    workspaceId: 'ws_a',
  };
  const tx = {
    query: async () => [{ now: NOW }],
    findOneBy: async () => code,
    findOne: async () => code,
    delete: async () => undefined,
    insert: async () => undefined,
  };
  const dataSource = { transaction: <T>(work: (inside: typeof tx) => Promise<T>) => work(tx) };
  const sessions = new DashboardSessions(
    dataSource as unknown as DataSource,
    {} as Changes,
    { takeGuess: async () => 0, giveBackGuess: () => undefined } as unknown as RequestBudget,
    { sessionMs: 60_000 } as DashboardSettings,
    {} as NoticeSender,
  );
  const cookies: string[] = [];
  const request = { method: 'POST', host: 'h', headers: { 'x-dashboard': '1' }, ip: '192.0.2.1', protocol: 'https' };
  const reply = { header: (_name: string, cookie: string) => void cookies.push(cookie) };
  const controller = new DashboardController(sessions);
  const begun = await controller.begin(
    request as unknown as AccessRequest,
    { code: 'code' },
    reply as unknown as FastifyReply,
  );
  expect(begun.expires_at).toBe('2020-01-01T00:01:00.000Z');
  expect(cookies).toEqual([expect.stringContaining('Max-Age=60;')]);
});

import type { DataSource, Form } from '@form-webhooks/storage';
import { expect, it, vi } from 'vitest';
import { CallerIdentity } from '../access/caller-identity.js';
import type { LogReads } from '../in-flight/log-reads.js';
import type { ConfigSettings } from '../settings.js';
import { DeliveryLog } from './delivery-log.js';
import type { PayloadViews } from './payload-views.js';

const formOf = (workspaceId: string): Form => ({
  id: `f_${workspaceId}`,
  workspaceId,
  name: 'a',
  createdAt: new Date(0),
  updatedAt: new Date(0),
  deletedAt: null,
});

it('the payloads of a workspace are held for a few callers at a time, however many ask for them at once', async () => {
  const found: ((rows: object[]) => void)[] = [];
  const query = () => new Promise<object[]>((resolve) => found.push(resolve));
  const log = new DeliveryLog(
    { manager: { query } } as unknown as DataSource,
    {} as ConfigSettings,
    {} as PayloadViews,
    {} as LogReads,
  );
  const by = new CallerIdentity('key:key_1', 'key_1', null, null, new Set(['payload:read']));
  const ask = (workspaceId: string): Promise<unknown> => log.detail(by, formOf(workspaceId), 'dlv_1');
  const all = Promise.allSettled([...Array.from({ length: 68 }, () => ask('ws_busy')), ask('ws_other')]);
  await vi.waitFor(() => expect(found).toHaveLength(4 + 1));
  await expect(ask('ws_busy')).rejects.toMatchObject({ status: 429 });
  for (let done = 0; done < 69; done++) {
    await vi.waitFor(() => expect(found.length).toBeGreaterThan(done));
    found[done]!([]);
  }
  const answers = await all;
  expect(answers.map((answer) => answer.status === 'rejected' && (answer.reason as { status: number }).status)).toEqual(
    Array(69).fill(404),
  );
});

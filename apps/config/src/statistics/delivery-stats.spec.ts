import type { DataSource, Form, Transaction } from '@form-webhooks/storage';
import { expect, it, vi } from 'vitest';
import { LogReads } from '../in-flight/log-reads.js';
import { DeliveryStats } from './delivery-stats.js';

it('no more than a few statistics of a workspace are read at a time, whose rows are many', async () => {
  const NOW = new Date('2026-11-29T12:00:00Z');
  const ends: (() => void)[] = [];
  const query = async (sql: string): Promise<unknown[]> => {
    if (sql.includes('statement_timeout')) return [{ now: NOW }];
    if (sql.includes('delivery_counts')) await new Promise<void>((resolve) => ends.push(resolve));
    return [];
  };
  const tx = { query, connection: { options: {} } } as unknown as Transaction;
  const transaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => work(tx);
  const stats = new DeliveryStats(new LogReads({ transaction } as unknown as DataSource));
  const form = (workspaceId: string) => ({ id: 'f_a', workspaceId }) as Form;

  const busy = Array.from({ length: 20 }, () => stats.of(form('ws_busy'), {}));
  const other = stats.of(form('ws_other'), {});
  await vi.waitFor(() => expect(ends).toHaveLength(5));
  for (let done = 0; done < 21; done++) {
    await vi.waitFor(() => expect(ends.length).toBeGreaterThan(done));
    ends[done]!();
  }
  expect(await Promise.all([...busy, other])).toMatchObject(
    Array.from({ length: 21 }, () => ({ from: '2026-11-28T12:00:00.000Z', to: '2026-11-29T12:00:00.000Z' })),
  );
});

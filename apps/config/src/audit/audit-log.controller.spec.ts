import type { DataSource, Transaction } from '@form-webhooks/storage';
import { expect, it, vi } from 'vitest';
import type { ApiSettings } from '../http/api-settings.js';
import { LogReads } from '../in-flight/log-reads.js';
import { AuditLogController } from './audit-log.controller.js';

it('searches of one workspace leave connections to the others, and take seconds each at most', async () => {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const query = async (sql: string): Promise<unknown[]> => {
    asked.push(sql);
    if (sql.includes('audit_entries')) await new Promise<void>((resolve) => ends.push(resolve));
    return [{ now: new Date(), seq: '1', text: '{}', hash: '' }];
  };
  const tx = { query, connection: { options: {} } } as unknown as Transaction;
  const transaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => work(tx);
  const reads = new LogReads({ transaction } as unknown as DataSource);
  const log = new AuditLogController(reads, { maxPageSize: 100 } as ApiSettings);
  const search = (workspace: string) => log.list(workspace, { actor: 'user:nobody' });

  const busy = Array.from({ length: 20 }, () => search('ws_busy'));
  const other = search('ws_other');
  await vi.waitFor(() => expect(ends).toHaveLength(5));
  expect(asked.filter((sql) => sql.includes('statement_timeout'))).toHaveLength(5);
  for (let done = 0; done < 21; done++) {
    await vi.waitFor(() => expect(ends.length).toBeGreaterThan(done));
    ends[done]!();
  }
  expect((await Promise.all([...busy, other])).every(({ items }) => items.length === 1)).toBe(true);
});

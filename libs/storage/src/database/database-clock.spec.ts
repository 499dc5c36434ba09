import { expect, it, vi } from 'vitest';
import type { Transaction } from './data-source.js';
import { limitStatements } from './database-clock.js';

it('the limit of statements and the moment of the database come with one statement', async () => {
  const now = new Date('2026-11-29T07:30:00.123Z');
  const query = vi.fn((_sql: string, _values: readonly unknown[]) => Promise.resolve([{ set_config: '5000', now }]));
  const tx = { query, connection: { options: { extra: { statement_timeout: 8_000 } } } } as unknown as Transaction;
  expect(await limitStatements(tx, 5_000)).toBe(now);
  expect(await limitStatements(tx, 10_000)).toBe(now);
  expect(query.mock.calls.map(([, values]) => values)).toEqual([['5000'], ['8000']]);
});

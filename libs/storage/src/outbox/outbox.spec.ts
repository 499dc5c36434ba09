import { expect, it } from 'vitest';
import type { Transaction } from '../database/data-source.js';
import { takeOldest, takeThese } from './outbox.js';

const MIB = 1024 * 1024;

/** A transaction of an outbox whose rows have bodies of these sizes; remembers of which rows the bodies were read. */
function outboxOf(...sizes: readonly number[]) {
  const read: string[] = [];
  const query = async (sql: string, [ids]: [readonly string[]] = [[]]) => {
    if (sql.includes('octet_length')) return sizes.map((bytes, index) => ({ id: String(index + 1), bytes }));
    read.push(...ids);
    return ids.map((id) => ({ id }));
  };
  return { tx: { query } as unknown as Transaction, read };
}

it.each([
  ['the oldest rows', (tx: Transaction) => takeOldest(tx)],
  ['the rows of one change', (tx: Transaction) => takeThese(tx, ['1', '2', '3'])],
])('of %s no more bodies are held at once than a batch may have', async (_, take) => {
  const { tx, read } = outboxOf(3 * MIB, MIB, 1);
  expect(await take(tx)).toHaveLength(2);
  expect(read).toEqual(['1', '2']);
});

it('takes a row that is larger than a batch alone, and reads nothing where nothing waits', async () => {
  const large = outboxOf(5 * MIB, 1);
  expect(await takeThese(large.tx, ['1', '2'])).toHaveLength(1);
  const empty = outboxOf();
  expect(await takeThese(empty.tx, ['1'])).toEqual([]);
  expect([...large.read, ...empty.read]).toEqual(['1']);
});

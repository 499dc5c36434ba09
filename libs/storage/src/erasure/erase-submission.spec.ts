import type { FormId, SubmissionId } from '@form-webhooks/domain';
import type { DataSource } from 'typeorm';
import { expect, it } from 'vitest';
import { eraseStored } from './erase-submission.js';

const KEY = { formId: 'f_a' as FormId, submissionId: 's_a' as SubmissionId };

/** What each transaction of an erasure does, in a few words. */
async function transactionsOfErasure(): Promise<string[][]> {
  const transactions: string[][] = [];
  const transaction = (work: (tx: unknown) => Promise<void>): Promise<void> => {
    const touched: string[] = [];
    transactions.push(touched);
    return work({
      query: async (sql: string) => {
        touched.push(/lock_timeout|advisory|UPDATE \w+|FROM \w+/.exec(sql)?.[0] ?? sql);
        return [];
      },
    });
  };
  await eraseStored({ transaction } as unknown as DataSource, KEY);
  return transactions;
}

it('waits for those who write the log for a bounded time, since whoever comes after it waits as long', async () => {
  const [first] = await transactionsOfErasure();
  expect(first).toEqual(['lock_timeout', 'advisory']);
});

it('waits for a copy that is being published before it locks anything that the log is written with', async () => {
  const [, second] = await transactionsOfErasure();
  expect(second).toEqual(['UPDATE outbox', 'FROM deliveries', 'UPDATE events', 'UPDATE attempts']);
});

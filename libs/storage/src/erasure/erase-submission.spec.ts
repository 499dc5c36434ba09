import type { FormId, SubmissionId } from '@form-webhooks/domain';
import type { DataSource } from 'typeorm';
import { expect, it } from 'vitest';
import { eraseStored } from './erase-submission.js';

it('waits for a copy that is being published before it locks anything that the log is written with', async () => {
  const transactions: string[][] = [];
  const transaction = (work: (tx: unknown) => Promise<void>): Promise<void> => {
    const touched: string[] = [];
    transactions.push(touched);
    return work({
      query: async (sql: string) => {
        touched.push(/advisory|UPDATE \w+|FROM \w+/.exec(sql)?.[0] ?? sql);
        return [];
      },
    });
  };
  const key = { formId: 'f_a' as FormId, submissionId: 's_a' as SubmissionId };
  await eraseStored({ transaction } as unknown as DataSource, key);
  expect(transactions).toEqual([
    ['advisory'],
    ['UPDATE outbox', 'FROM deliveries', 'UPDATE events', 'UPDATE attempts'],
  ]);
});

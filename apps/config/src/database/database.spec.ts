import type { SealingSettings } from '@form-webhooks/settings';
import { describe, expect, it } from 'vitest';
import type { CurrentSchema } from './current-schema.js';
import { Database } from './database.js';
import type { DatabasePools } from './database-pools.js';
import type { DatabaseProbe } from './database-probe.js';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });

const opening = (url: string, error: Error): Promise<void> => {
  const pools = { open: () => Promise.reject(error) } as unknown as DatabasePools;
  return new Database(pools, {} as DatabaseProbe, {} as SealingSettings, {} as CurrentSchema, { url }).open();
};

describe('a start without a database', () => {
  it.each([
    [
      'postgres://ada:hunter2@127.0.0.1:9/forms?sslmode=disable',
      refused,
      'PostgreSQL does not answer: connect ECONNREFUSED 127.0.0.1:9 (DATABASE_URL: 127.0.0.1:9/forms); start it',
    ],
    [
      'postgres://ada:hunter2@db/forms',
      new AggregateError([refused], ''),
      'ECONNREFUSED 127.0.0.1:9 (DATABASE_URL: db:5432/forms)',
    ],
    [
      'postgres:///forms?host=/run/postgresql&password=hunter2',
      Object.assign(new Error('password authentication failed'), { code: '28P01' }),
      'password authentication failed (DATABASE_URL: /run/postgresql:5432/forms)',
    ],
  ])('says which server it is and where that is set, and no password: %s', async (url, error, words) => {
    await expect(opening(url, error)).rejects.toThrow(words);
    await expect(opening(url, error)).rejects.toThrow(/^(?!.*hunter2)/);
  });
});

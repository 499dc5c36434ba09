import type { DataSource } from '@form-webhooks/storage';
import type { Logger } from '@form-webhooks/telemetry';
import { expect, it, vi } from 'vitest';
import { CurrentSchema } from './current-schema.js';

/** As before the migration job: no migration has run. */
const UNMIGRATED = {
  migrations: [{ name: 'A1' }],
  query: (statement: string) =>
    Promise.resolve(
      / AS (role|stands)$|^SELECT quote_ident/.test(statement) ? [{ role: 'config', stands: false }] : [],
    ),
} as unknown as DataSource;

it('gives up waiting for the migration job once the process is to end', async () => {
  const warn = vi.fn();
  const logger = { warn } as unknown as Logger;
  const schema = new CurrentSchema({ migration: 'by_job', waitMs: 3_600_000 }, logger);
  const ending = new AbortController();
  const waiting = schema.ensure(UNMIGRATED, ending.signal);
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
  ending.abort();
  // If it went on waiting, that would take the hour.
  await expect(waiting).rejects.toBe(ending.signal.reason);
});

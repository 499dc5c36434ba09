import type { LogPartitions } from '@form-webhooks/storage';
import { createLogger } from '@form-webhooks/telemetry';
import { expect, it, vi } from 'vitest';
import type { Changes } from '../changes/changes.js';
import type { RetentionReport } from './retention-report.js';
import { LogPartitionKeeper } from './log-partition-keeper.js';

it('drops what is past its retention also while coming days can not be made', async () => {
  const dropBefore = vi.fn(() => Promise.resolve([]));
  const partitions = {
    now: () => Promise.resolve(Date.now()),
    make: () => Promise.reject(new Error('lock timeout')),
    dropBefore,
  };
  const keeper = new LogPartitionKeeper(
    partitions as unknown as LogPartitions,
    {} as Changes,
    { days: 30, maxDroppedDays: 7, holdDays: 7, restoredAt: null },
    { held: () => undefined } as unknown as RetentionReport,
    createLogger({ app: 'config', level: 'silent' }),
  );
  await keeper.onApplicationBootstrap();
  await keeper.onModuleDestroy();
  expect(dropBefore).toHaveBeenCalledOnce();
});

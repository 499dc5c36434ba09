import { ClocksDiffer, TooManyDays, type LogPartitions } from '@form-webhooks/storage';
import { createLogger, Metrics } from '@form-webhooks/telemetry';
import { describe, expect, it, vi } from 'vitest';
import type { Changes } from '../changes/changes.js';
import { LogPartitionKeeper } from './log-partition-keeper.js';
import { RetentionReport } from './retention-report.js';

const logger = createLogger({ app: 'config', level: 'silent' });

function stage(make: () => Promise<void>, drop: () => Promise<readonly string[]>) {
  const dropBefore = vi.fn(drop);
  const metrics = new Metrics('spec');
  const keeper = new LogPartitionKeeper(
    { now: () => Promise.resolve(Date.now()), make, dropBefore } as unknown as LogPartitions,
    {} as Changes,
    { days: 30, maxDroppedDays: 7, holdDays: 7, restoredAt: null },
    new RetentionReport(metrics, logger),
    logger,
  );
  const refused = async (): Promise<string | undefined> =>
    (await metrics.render()).split('\n').find((line) => line.startsWith('config_log_days_refused'));
  return { keeper, dropBefore, refused };
}

const made = (): Promise<void> => Promise.resolve();

it('drops what is past its retention also while coming days can not be made', async () => {
  const { keeper, dropBefore } = stage(
    () => Promise.reject(new Error('lock timeout')),
    () => Promise.resolve([]),
  );
  await keeper.onApplicationBootstrap();
  await keeper.onModuleDestroy();
  expect(dropBefore).toHaveBeenCalledOnce();
});

describe('days that nobody dares to drop', () => {
  it.each([new TooManyDays(20, 7), new ClocksDiffer(20, 31 * 86_400_000)])(
    'are counted until they go, and tried again as seldom as any: $name',
    async (refusal) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
      try {
        let drop = (): Promise<readonly string[]> => Promise.reject(refusal);
        const { keeper, dropBefore, refused } = stage(made, () => drop());
        await keeper.onApplicationBootstrap();
        expect(await refused()).toMatch(/ 20$/);
        drop = () => Promise.resolve([]);
        await vi.advanceTimersByTimeAsync(599_000);
        expect(dropBefore).toHaveBeenCalledOnce();
        await vi.advanceTimersByTimeAsync(2_000);
        await keeper.onModuleDestroy();
        expect(dropBefore).toHaveBeenCalledTimes(2);
        expect(await refused()).toMatch(/ 0$/);
      } finally {
        vi.useRealTimers();
      }
    },
  );
});

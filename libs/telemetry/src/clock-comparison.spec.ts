import { expect, it, vi } from 'vitest';
import { ClockComparison } from './clock-comparison.js';
import { Metrics } from './metrics.js';

it('a clock that is not config’s is shown at each answer, and told once a minute', async () => {
  const [metrics, error] = [new Metrics('spec'), vi.fn()];
  let elapsed = 0;
  const clock = { now: () => 1_000_000_000 + elapsed, elapsed: () => elapsed };
  const comparison = new ClockComparison(metrics, { error }, 'nothing is on time', clock);
  const shown = async (): Promise<string> =>
    /^webhook_clock_ahead_seconds\{?.*\}? (\S+)$/m.exec(await metrics.render())![1]!;

  comparison.note(1_000_000_000 - 59_000);
  expect([await shown(), error.mock.calls.length]).toEqual(['59', 0]);
  for (const at of [0, 30_000, 59_000]) {
    elapsed = at;
    comparison.note(1_000_000_000 + at + 3_600_000);
  }
  expect([await shown(), error.mock.calls.length]).toEqual(['-3600', 1]);
  elapsed = 61_000;
  comparison.note(1_000_000_000 + elapsed - 3_600_000);
  expect(error).toHaveBeenCalledTimes(2);
  expect(error.mock.lastCall).toEqual([{ offsetMs: 3_600_000 }, expect.stringMatching(/differ: nothing is on time$/)]);
});

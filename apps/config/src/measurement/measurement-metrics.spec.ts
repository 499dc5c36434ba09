import { Metrics } from '@form-webhooks/telemetry';
import { expect, it } from 'vitest';
import type { LogMeasurer, Measurement } from './log-measurer.js';
import { MeasurementMetrics } from './measurement-metrics.js';

const MEASURED: Measurement = {
  open: [{ state: 'retrying', waitsFor: 'no_slot', deliveries: 3 }],
  openCut: false,
  oldestOpenSeconds: 60,
  overdueSeconds: 5,
  erasures: 1,
  oldestErasureSeconds: 7,
  phase: null,
  reconcilingSeconds: 0,
  reconciledSeconds: null,
  daysAhead: 3,
  measuredAt: 0,
};

/** What is shown of config's own, without the default label. */
async function shown(latest: Measurement | undefined): Promise<string[]> {
  const metrics = new Metrics('config');
  new MeasurementMetrics(metrics, { latest } as LogMeasurer);
  const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('config_'));
  return lines.map((line) => line.replace(/,?app="config"/, '').replace('{}', ''));
}

it('before the first measurement only its age is shown, since the start: 0 would say that all is well', async () => {
  const began = performance.now() / 1_000;
  const [age, ...others] = await shown(undefined);
  expect(Number(/^config_measurement_age_seconds (\S+)$/.exec(age!)?.[1])).toBeGreaterThanOrEqual(began);
  expect(others).toEqual([]);
});

it('a measurement is shown with how old it is, and without what it does not know', async () => {
  const lines = await shown({ ...MEASURED, measuredAt: performance.now() - 90_000 });
  expect(lines).toEqual(
    expect.arrayContaining([
      'config_deliveries_open{state="retrying",waits_for="no_slot"} 3',
      'config_deliveries_overdue_seconds 5',
      'config_log_days_ahead 3',
      'config_reconciler_phase{phase="none"} 1',
    ]),
  );
  const age = lines.find((line) => line.startsWith('config_measurement_age_seconds'))!;
  expect(Number(age.split(' ')[1])).toBeGreaterThanOrEqual(90);
  expect(lines.some((line) => line.startsWith('config_reconciler_ended_seconds'))).toBe(false);
});

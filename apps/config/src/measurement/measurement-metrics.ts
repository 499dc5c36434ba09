import { Injectable } from '@nestjs/common';
import { Metrics } from '@form-webhooks/telemetry';
import { LogMeasurer, type Measurement } from './log-measurer.js';

/** A figure of the last measurement; null shows none. */
type Read = (measurement: Measurement) => number | null;

const FIGURES: readonly (readonly [name: string, help: string, read: Read])[] = [
  ['config_deliveries_oldest_open_seconds', 'Age of the oldest delivery that is not final', (m) => m.oldestOpenSeconds],
  ['config_deliveries_overdue_seconds', 'For how long the most overdue delivery has been due', (m) => m.overdueSeconds],
  ['config_deliveries_open_cut', '1 if more deliveries are open than are counted', (m) => (m.openCut ? 1 : 0)],
  ['config_erasures_waiting', 'Erasures whose stored data has not gone yet', (m) => m.erasures],
  ['config_erasures_oldest_seconds', 'For how long the oldest of them has waited', (m) => m.oldestErasureSeconds],
  ['config_log_days_ahead', 'Days of the log that stand ready behind today', (m) => m.daysAhead],
  [
    'config_reconciler_running_seconds',
    'For how long the search for lost deliveries has been going on',
    (m) => m.reconcilingSeconds,
  ],
  ['config_reconciler_ended_seconds', 'How long ago the last search ended', (m) => m.reconciledSeconds],
];

/** Shows what was measured last. Before the first time there are no such series but their age. */
@Injectable()
export class MeasurementMetrics {
  constructor(metrics: Metrics, measurer: LogMeasurer) {
    // Since the start of the process before the first time, so that one that never succeeds is seen.
    metrics.watch('config_measurement_age_seconds', 'How old these figures are', () => {
      return (performance.now() - (measurer.latest?.measuredAt ?? 0)) / 1_000;
    });
    for (const [name, help, read] of FIGURES) {
      metrics.watchEach(name, help, [], () => {
        const value = measurer.latest && read(measurer.latest);
        return value === undefined || value === null ? [] : [{ labels: {}, value }];
      });
    }
    metrics.watchEach('config_deliveries_open', 'Deliveries that are not final', ['state', 'waits_for'], () =>
      (measurer.latest?.open ?? []).map(({ state, waitsFor, deliveries }) => ({
        labels: { state, waits_for: waitsFor },
        value: deliveries,
      })),
    );
    metrics.watchEach('config_reconciler_phase', '1 for what the search for lost deliveries does', ['phase'], () =>
      measurer.latest ? [{ labels: { phase: measurer.latest.phase ?? 'none' }, value: 1 }] : [],
    );
  }
}

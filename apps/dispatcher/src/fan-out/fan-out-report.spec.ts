import { readTraceParent } from '@form-webhooks/domain';
import { createLogger, Metrics } from '@form-webhooks/telemetry';
import { expect, it } from 'vitest';
import { anEvent } from '../testing/factories.js';
import { readableLogger } from '../testing/fakes.js';
import { FanOutReport } from './fan-out-report.js';

it('shows each lane before its first event, so that a backlog which is taken at once is seen as a rise', async () => {
  const metrics = new Metrics('dispatcher');
  new FanOutReport(metrics, createLogger({ app: 'dispatcher', level: 'silent' }));
  const shown = await metrics.render();
  for (const lane of ['normal', 'bulk', 'large']) {
    expect(shown).toMatch(new RegExp(`^webhook_event_wait_seconds_count\\{[^}]*lane="${lane}"[^}]*\\} 0$`, 'm'));
  }
});

it('names the trace that an event belongs to, in each of its lines', () => {
  const { logger, lines } = readableLogger();
  const report = new FanOutReport(new Metrics('dispatcher'), logger);
  const trace = readTraceParent('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')!;
  report.reportFanOut(anEvent({ trace }), 'form_missing');
  const traced = { event_id: 'evt_1', form_id: 'f_1', trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' };
  expect(lines).toMatchObject([traced, { ...traced, outcome: 'form_missing' }]);
});

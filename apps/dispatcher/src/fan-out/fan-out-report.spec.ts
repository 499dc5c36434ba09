import { createLogger, Metrics } from '@form-webhooks/telemetry';
import { expect, it } from 'vitest';
import { FanOutReport } from './fan-out-report.js';

it('shows each lane before its first event, so that a backlog which is taken at once is seen as a rise', async () => {
  const metrics = new Metrics('dispatcher');
  new FanOutReport(metrics, createLogger({ app: 'dispatcher', level: 'silent' }));
  const shown = await metrics.render();
  for (const lane of ['normal', 'bulk', 'large']) {
    expect(shown).toMatch(new RegExp(`^webhook_event_wait_seconds_count\\{[^}]*lane="${lane}"[^}]*\\} 0$`, 'm'));
  }
});

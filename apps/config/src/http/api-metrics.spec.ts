import { Metrics } from '@form-webhooks/telemetry';
import { expect, it } from 'vitest';
import { InFlight } from '../in-flight/in-flight.js';
import { ApiMetrics } from './api-metrics.js';

it.each([
  ['no_credential', 401, false],
  ['not_valid', 401, true],
  ['foreign_page', 403, true],
  ['too_many', 429, true],
  ['not_checked', 503, true],
])('a caller that is refused is counted by the cause: %s', async (cause, status, hasCredential) => {
  const metrics = new Metrics('config');
  const limits = { callsPerCaller: 1, bytesPerCaller: 1, bytesInAll: 1, writeTimeoutMs: 1 };
  const report = new ApiMetrics(metrics, new InFlight(limits));
  const counted = async (): Promise<string[]> => {
    const lines = (await metrics.render()).split('\n');
    return lines.filter((line) => /^config_callers_refused_total.* 1$/.test(line));
  };
  expect(await counted()).toEqual([]);
  report.callerRefused(status, hasCredential);
  expect(await counted()).toEqual([expect.stringContaining(`cause="${cause}"`)]);
});

import type { FailureCause } from '@form-webhooks/domain/enumerations';
import { describe, expect, it } from 'vitest';
import { failureSeries } from './failure-kinds.js';

const step = (failures: Partial<Record<FailureCause, number>>) => ({
  ...{ at: '', counts: { pending: 0, retrying: 0, cancelled: 0, failed: 0, delivered: 0 } },
  ...{ attempts: 0, p50: null, p95: null },
  failures: Object.entries(failures).map(([cause, attempts]) => ({ cause: cause as FailureCause, attempts })),
});

describe('failures over time', () => {
  it('are told apart by what has to be repaired, the most frequent first', () => {
    expect(failureSeries([step({ tls_expired: 1, '5xx': 1 }), step({ tls_untrusted: 2 })])).toEqual([
      { kind: 'failure.tls', tone: 'bad', values: [1, 2] },
      { kind: 'failure.5xx', tone: 'warning', values: [1, 0] },
    ]);
  });

  it('stand together where they are too many to be told apart', () => {
    const series = failureSeries([step({ '5xx': 9, '4xx': 8, '3xx': 7, dns: 6, reset: 2, timeout: 1 })]);
    expect(series.map(({ kind, values }) => [kind, values[0]])).toEqual([
      ['failure.5xx', 9],
      ['failure.4xx', 8],
      ['failure.3xx', 7],
      ['failure.dns', 6],
      ['failure.other', 3],
    ]);
  });

  it('are none where nothing has failed', () => {
    expect(failureSeries([step({})])).toEqual([]);
  });
});

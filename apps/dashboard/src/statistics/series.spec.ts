import { describe, expect, it } from 'vitest';
import { niceMax, stepsOf, totalOf } from './series.js';

const counts = (delivered: number, failed: number) => ({ pending: 0, retrying: 0, cancelled: 0, failed, delivered });
const point = (at: string, delivered: number, failed: number, p95: number | null) => ({
  at,
  counts: counts(delivered, failed),
  attempts: delivered + failed,
  failures: failed === 0 ? [] : [{ cause: '5xx' as const, attempts: failed }],
  latency_ms: { p50: p95, p95, p99: p95 },
});

describe('the series of a chart', () => {
  const range = {
    from: '2026-11-27T10:00:00.000Z',
    to: '2026-11-27T14:00:00.000Z',
    step: '1h',
    timezone: null,
  } as const;
  const a = [point('2026-11-27T11:00:00.000Z', 3, 1, 80)];
  const b = [point('2026-11-27T11:00:00.000Z', 2, 0, 200), point('2026-11-27T13:00:00.000Z', 1, 0, null)];

  it('has every step of the range, also those in which nothing happened', () => {
    const steps = stepsOf(range, [a, b]);
    expect(steps.map(({ at }) => at.slice(11, 13))).toEqual(['10', '11', '12', '13']);
    expect(steps.map((step) => step.counts.delivered)).toEqual([0, 5, 0, 1]);
    expect(totalOf(steps)).toEqual(counts(6, 1));
    expect(steps.map(({ failures }) => failures)).toEqual([[], [{ cause: '5xx', attempts: 1 }], [], []]);
  });

  it('shows the slowest endpoint of each step', () => {
    expect(stepsOf(range, [a, b]).map(({ p95 }) => p95)).toEqual([null, 200, null, null]);
  });

  it.each([
    ['Europe/Berlin', '2026-11-27T23:00:00.000Z', '2026-11-28T05:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-27T18:30:00.000Z', '2026-11-28T00:30:00.000Z'],
  ])('counts everything in the step whose beginning the API named, in %s', (timezone, from, at) => {
    const steps = stepsOf({ from, to: '2026-11-28T10:00:00.000Z', step: '6h', timezone }, [[point(at, 4, 0, 10)]]);
    expect(steps.map((step) => [step.at, step.counts.delivered]).slice(0, 2)).toEqual([
      [from, 0],
      [at, 4],
    ]);
  });

  it('ends its axis on a round number', () => {
    expect([0, 1, 3, 12, 50, 51, 999].map(niceMax)).toEqual([1, 1, 5, 20, 50, 100, 1_000]);
  });
});

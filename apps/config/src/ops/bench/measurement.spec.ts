import { describe, expect, it } from 'vitest';
import { Measuring, measurementLines, percentilesOf } from './measurement.js';

describe('a measurement', () => {
  it('tells what was accepted, refused and delivered, how fast, and what came twice', () => {
    const measuring = new Measuring();
    for (const n of [0, 1, 2, 3]) measuring.sends(n, n * 100);
    for (const n of [0, 1, 2]) measuring.accepted(n, n * 100 + 10);
    measuring.refuses('429');
    for (const n of [0, 1]) measuring.arrives(n, n * 100 + 50);
    expect(measuring.isComplete).toBe(false);
    for (const n of [2, 2, 99]) measuring.arrives(n, n * 100 + 50);
    expect(measuring.isComplete).toBe(true);
    const result = measuring.result();
    expect(result).toEqual({
      ...{ sent: 4, accepted: 3, refused: { '429': 1 }, unanswered: 0, delivered: 3, repeated: 1 },
      ...{ accept_ms: { p50: 10, p99: 10 }, delivery_ms: { p50: 50, p99: 50 }, deliveries_per_second: 10 },
    });
    expect(measurementLines(result)).toContain('3 of 4 accepted, 1 refused (429)');
  });

  it('counts what was sent without an answer apart: it may have been accepted, and come', () => {
    const measuring = new Measuring();
    for (const n of [0, 1, 2, 3]) measuring.sends(n, 0);
    for (const n of [0, 1]) measuring.accepted(n, 10);
    for (const n of [0, 2, 3]) measuring.arrives(n, 20);
    expect(measuring.isComplete, 'one that was accepted has not come').toBe(false);
    measuring.arrives(1, 30);
    expect(measuring.isComplete).toBe(true);
    const result = measuring.result();
    expect(result).toMatchObject({ sent: 4, accepted: 2, refused: {}, unanswered: 2, delivered: 4 });
    expect(measurementLines(result).slice(0, 2)).toEqual([
      '2 of 4 accepted, 2 without an answer',
      '4 of at most 4 delivered',
    ]);
  });

  it('of nothing tells nothing', () => {
    expect(new Measuring().result()).toMatchObject({ delivered: 0, delivery_ms: null, deliveries_per_second: null });
    expect(percentilesOf([])).toBeNull();
  });

  it('takes the values that so many are not above', () => {
    expect(percentilesOf(Array.from({ length: 100 }, (_, n) => 100 - n))).toEqual({ p50: 50, p99: 99 });
    expect(percentilesOf([7])).toEqual({ p50: 7, p99: 7 });
  });
});

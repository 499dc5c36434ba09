import { describe, expect, it } from 'vitest';
import type { ExpectedDelivery } from './expectation.js';
import { waitsByKind } from './waits.js';

const delivery = (marker: number, firstAt: number, behaviour: 'steady' | 'slow' = 'steady'): ExpectedDelivery => ({
  ...{ marker, endpoint: { id: 'we_1', path: '/a', behaviour } },
  ...{ answered: 1, answered2xx: 1, firstAt, lastAt: firstAt, logged: true },
});
const SPANS = [
  { kind: 'a restart', from: 1_000, to: 1_999 },
  { kind: 'a kill', from: 2_000, to: 2_999 },
];

describe('what events waited while a fault struck', () => {
  it('counts from when each was begun to its first POST, also one that came after the fault', () => {
    const begunAt = [1_000, 1_500, 1_999];
    const waits = waitsByKind(SPANS, [delivery(0, 1_010), delivery(1, 1_520), delivery(2, 4_999)], begunAt);
    expect(waits).toEqual(new Map([['a restart', { p50: 20, p99: 3_000, longest: 3_000 }]]));
  });

  it('takes faults of a kind together, and leaves out what was begun between faults or has no moment', () => {
    const again = [...SPANS, { kind: 'a restart', from: 5_000, to: 5_999 }];
    const found = [delivery(0, 1_001), delivery(1, 5_003), delivery(2, 4_500), delivery(9, 1_900)];
    expect(waitsByKind(again, found, [1_000, 5_000, 4_000]).get('a restart')).toEqual({
      ...{ p50: 1, p99: 3, longest: 3 },
    });
  });

  it('looks at endpoints that answer at once, and at what was POSTed at all', () => {
    const found = [delivery(0, 1_900, 'slow'), delivery(1, Infinity)];
    expect(waitsByKind(SPANS, found, [1_000, 1_000])).toEqual(new Map());
  });
});

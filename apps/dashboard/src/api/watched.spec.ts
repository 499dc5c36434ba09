import { describe, expect, it } from 'vitest';
import { ApiProblem } from './problem.js';
import { watchMs, WATCHED_MS } from './watched.js';

const NOW = Date.parse('2026-11-29T12:00:00.000Z');
const POLL_MS = 10_000;
const at = (seconds: number): string => new Date(NOW + 1_000 * seconds).toISOString();
const delivery = (state: string, accepted: number, next: number | null) => ({
  state,
  accepted_at: at(accepted),
  next_attempt_at: next === null ? null : at(next),
});

describe('an open delivery', () => {
  it.each([
    ['its first attempt is on its way', delivery('pending', -2, null), WATCHED_MS],
    ['its next attempt is due', delivery('retrying', -600, -3), WATCHED_MS],
    ['its next attempt is not due yet', delivery('retrying', -600, 3_600), POLL_MS],
    ['its attempt has been due for hours', delivery('pending', -7_200, null), POLL_MS],
    ['it is final', delivery('failed', -2, null), false],
    ['nothing of it was read yet', undefined, POLL_MS],
  ])('is watched as closely as it needs while %s', (_, data, expected) => {
    expect(watchMs({ data, error: null }, POLL_MS, NOW)).toBe(expected);
  });

  it('is asked for by nobody who is told of changes, unless an attempt is due', () => {
    expect(watchMs({ data: delivery('retrying', -600, 3_600), error: null }, false, NOW)).toBe(false);
    expect(watchMs({ data: delivery('retrying', -600, -3), error: null }, false, NOW)).toBe(WATCHED_MS);
  });

  it('is not asked for again once it is not there', () => {
    const error = new ApiProblem(404, {}, null);
    expect(watchMs({ data: undefined, error }, POLL_MS, NOW)).toBe(false);
    expect(watchMs({ data: delivery('pending', -2, null), error }, POLL_MS, NOW)).toBe(false);
  });
});

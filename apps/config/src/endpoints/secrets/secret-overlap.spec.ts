import { describe, expect, it } from 'vitest';
import { overlapEnd } from './secret-overlap.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const REPLACED = new Date('2026-11-01T00:00:00Z');
const after = (seconds: number): Date => new Date(REPLACED.getTime() + seconds * 1_000);
const secret = { stateSince: REPLACED, createdAt: after(-90 * DAY), expiresAt: after(DAY) };

describe('the end of an overlap', () => {
  it('is as long from now on as its owner asks, sooner or later than was promised', () => {
    expect(overlapEnd(secret, HOUR, after(60))).toEqual(after(60 + HOUR));
    expect(overlapEnd(secret, 2 * DAY, after(HOUR))).toEqual(after(HOUR + 2 * DAY));
    expect(overlapEnd(secret, 0, after(HOUR))).toEqual(after(HOUR));
  });

  it('never lies more than seven days after the secret was replaced, however often it is asked for', () => {
    let moved = secret;
    for (let day = 0; day < 6; day++) {
      moved = { ...moved, expiresAt: overlapEnd(moved, 7 * DAY, after(day * DAY)) };
      expect(moved.expiresAt).toEqual(after(7 * DAY));
    }
  });

  it('that was promised for later than that can come sooner, and not later', () => {
    const long = { ...secret, expiresAt: after(12 * DAY) };
    expect(overlapEnd(long, HOUR, after(8 * DAY))).toEqual(after(8 * DAY + HOUR));
    expect(overlapEnd(long, 7 * DAY, after(8 * DAY))).toEqual(long.expiresAt);
  });
});

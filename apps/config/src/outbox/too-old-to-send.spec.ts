import { describe, expect, it } from 'vitest';
import { tooOldIfBegunBefore } from './too-old-to-send.js';

const NOW = 10_000_000;

describe('what is too old to be sent again', () => {
  const MAX_AGE_MS = 3_600_000;
  it.each([
    ['is what began longer ago than a delivery may be on its way', null, NOW - MAX_AGE_MS],
    ['is what began before the database was restored', NOW - 60_000, NOW - 60_000],
    ['goes by the age alone long after a restore', NOW - 2 * MAX_AGE_MS, NOW - MAX_AGE_MS],
  ])('%s', (_, restoredAt, before) => {
    expect(tooOldIfBegunBefore(new Date(NOW), MAX_AGE_MS, restoredAt)).toEqual(new Date(before));
  });
});

import { describe, expect, it } from 'vitest';
import { readOwnSchedule } from './own-schedule.js';
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from './retry-schedule.js';

const BOUNDS = {
  maxDelays: 3,
  maxDelayMs: 10_800_000,
  deliveryMaxAgeMs: 86_400_000,
  schedule: parseRetrySchedule(DEFAULT_RETRY_SCHEDULE),
};

describe("an endpoint's own schedule", () => {
  it('is read in milliseconds', () => {
    expect(readOwnSchedule(['1s', '90s', '3h'], BOUNDS)).toEqual({ schedule: [1_000, 90_000, 10_800_000] });
  });

  it.each([
    [[], 'empty', 'at least one delay'],
    [['1s', '1s', '1s', '1s'], 'too_many', 'at most 3 delays; this one has 4'],
    [
      ['30s', '10'],
      'format',
      '"10" is not a delay: write a whole number and a unit, from 1s to 3h, such as 30s or 5m.',
    ],
    [['1s,2s'], 'format', '"1s,2s" is not a delay'],
    [['-1s'], 'format', 'is not a delay'],
    [['1.5h'], 'format', 'is not a delay'],
    [['99999999999999999d'], 'format', 'is not a delay'],
    [['500ms'], 'too_small', 'A delay is from 1s to 3h; "500ms" is shorter.'],
    [['0s'], 'too_small', 'is shorter'],
    [['4h'], 'too_large', 'A delay is from 1s to 3h; "4h" is longer.'],
  ])('%j is refused: %s', (delays, code, message) => {
    const read = readOwnSchedule(delays, BOUNDS);
    expect(read).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('is refused where its last attempts would come after a delivery is given up', () => {
    const bounds = { ...BOUNDS, deliveryMaxAgeMs: 10_800_000 };
    expect(readOwnSchedule(['1h', '1h'], bounds)).toHaveProperty('schedule');
    expect(readOwnSchedule(['1h', '80m'], bounds)).toEqual({
      code: 'too_large',
      message:
        'With up to three tenths that each is longer, these delays can take 3h 6m 7s; a delivery is given up after 3h, ' +
        'so the last attempts would not be made.',
    });
  });

  it('is held against the time after which a delivery is given up in the same units', () => {
    const bounds = { ...BOUNDS, maxDelays: 30 };
    expect(readOwnSchedule(Array(30).fill('3h'), bounds)).toMatchObject({
      message: expect.stringMatching(/can take \d\dh.*; a delivery is given up after 24h,/),
    });
  });

  it('is refused where it ends just when a delivery is given up: attempts take time, the last comes too late', () => {
    const bounds = { ...BOUNDS, maxDelays: 8 };
    expect(readOwnSchedule(Array(8).fill('3h'), bounds)).toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('can take 24h; a delivery is given up after 24h'),
    });
    expect(readOwnSchedule(Array(7).fill('3h'), bounds)).toHaveProperty('schedule');
    expect(readOwnSchedule(Array(8).fill('3h'), { ...bounds, deliveryMaxAgeMs: 86_400_001 })).toHaveProperty(
      'schedule',
    );
  });
});

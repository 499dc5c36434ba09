import { expect, it } from 'vitest';
import { retainedDays } from './log-days.js';

it.each(['2026-10-29', '2026-11-29', '2027-01-31'])('the days that the log holds are those around %s', (today) => {
  const now = Date.parse(today) + 86_399_000;
  const day = (offset: number): string => new Date(now + offset * 86_400_000).toISOString().slice(0, 10);
  expect(retainedDays(now, 1)).toEqual({ first: day(-1), last: day(3) });
});

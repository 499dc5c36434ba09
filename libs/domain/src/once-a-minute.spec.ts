import { expect, it } from 'vitest';
import { OnceAMinute } from './once-a-minute.js';

it('tells what repeats itself at first, and again after a minute, each thing for itself', () => {
  let now = 0;
  const lines = new OnceAMinute(() => now);
  expect(lines.isDue('a')).toBe(true);
  now = 59_999;
  expect([lines.isDue('a'), lines.isDue('b')]).toEqual([false, true]);
  now = 60_000;
  expect([lines.isDue('a'), lines.isDue('b')]).toEqual([true, false]);
});

it('counts the minute from what was told, not from what was kept back', () => {
  let now = 0;
  const lines = new OnceAMinute(() => now);
  const told = Array.from({ length: 121 }, () => {
    const isDue = lines.isDue();
    now += 1_000;
    return isDue;
  });
  expect(told.flatMap((isDue, second) => (isDue ? [second] : []))).toEqual([0, 60, 120]);
});

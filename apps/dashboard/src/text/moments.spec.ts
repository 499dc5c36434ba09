import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { relativeMoment, shortMoment } from './moments.js';

/** A moment of the viewer's zone, whatever the zone is. */
const local = (year: number, month: number, day: number, hour: number): string =>
  new Date(year, month - 1, day, hour).toISOString();

const NOW = new Date(2026, 10, 29, 14).getTime();
const LANGUAGES = ['en', 'de'] as const;

describe('a moment in few words', () => {
  beforeAll(() => void vi.stubGlobal('navigator', { languages: [] }));
  afterAll(() => void vi.unstubAllGlobals());

  it.each(LANGUAGES)('has a year where it is of another one, before or after (%s)', (language) => {
    expect(shortMoment(local(2024, 11, 29, 9), language, NOW)).toContain('2024');
    expect(shortMoment(local(2027, 11, 1, 9), language, NOW)).toContain('2027');
  });

  it.each(LANGUAGES)('has a date and no year where it is of the present one (%s)', (language) => {
    const shown = shortMoment(local(2026, 3, 7, 9), language, NOW);
    expect(shown).not.toContain('2026');
    expect(shown).toMatch(/\b7\b.*\b0?9\b/);
  });

  it.each(LANGUAGES)('is the time alone until the day has ended, then has its date (%s)', (language) => {
    const at = local(2026, 11, 29, 9);
    expect(shortMoment(at, language, NOW)).not.toContain('29');
    const tomorrow = new Date(2026, 10, 30).getTime();
    expect(shortMoment(at, language, tomorrow)).toContain('29');
  });
});

describe('a moment as how long it is away', () => {
  it.each([
    ['en', '1 day ago', 'in 2 days', 'now'],
    ['de', 'vor 1 Tag', 'in 2 Tagen', 'jetzt'],
  ] as const)(
    'counts days by their hours, and names none that the calendar has otherwise (%s)',
    (language, ...told) => {
      // The evening of the day before yesterday, and the morning in three days.
      const moments = [local(2026, 11, 27, 23), local(2026, 12, 2, 9), new Date(NOW).toISOString()];
      expect(moments.map((at) => relativeMoment(at, language, NOW))).toEqual(told);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { chooseDays } from './held-days.js';

describe('a day whose retention has ended', () => {
  const old = ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'];
  const first = '2026-11-22';

  it('goes if nothing on it is under way', () => {
    expect(chooseDays(old, first, new Set(), 7)).toEqual({ dropped: old, held: [] });
  });

  it('stays while something is, and the others go', () => {
    const dropped = ['2026-11-18', '2026-11-20', '2026-11-21'];
    expect(chooseDays(old, first, new Set(['2026-11-19']), 7)).toEqual({ dropped, held: ['2026-11-19'] });
  });

  it('goes in any case once it was held for as long as it may be', () => {
    const dropped = ['2026-11-18', '2026-11-19'];
    expect(chooseDays(old, first, new Set(old), 2)).toEqual({ dropped, held: ['2026-11-20', '2026-11-21'] });
    expect(chooseDays(old, first, new Set(old), 0)).toEqual({ dropped: old, held: [] });
  });
});

import { describe, expect, it } from 'vitest';
import { latestEnd, OVERLAPS, overlapsLeft } from './overlaps.js';

const HOUR_MS = 3_600_000;
const REPLACED = '2026-11-01T00:00:00.000Z';
const idsLeft = (hours: number): string[] =>
  overlapsLeft(REPLACED, Date.parse(REPLACED) + hours * HOUR_MS).map(([, id]) => id);

describe('what is offered for the end of an earlier secret', () => {
  it('is what its seven days leave room for, and their end', () => {
    const [none, hour, day, latest] = [
      ...['rotation.overlap.none', 'rotation.overlap.hour', 'rotation.overlap.day', 'overlap.latest'],
    ];
    expect(idsLeft(1)).toEqual([none, hour, day, latest]);
    expect(idsLeft(6 * 24 + 1)).toEqual([none, hour, latest]);
    expect(idsLeft(7 * 24 - 0.5)).toEqual([none, latest]);
  });

  it('asks for the latest end by the longest overlap, which the service cuts there', () => {
    const longest = Math.max(...OVERLAPS.map(([seconds]) => seconds));
    expect(overlapsLeft(REPLACED, Date.parse(REPLACED)).at(-1)![0]).toBe(longest);
    expect(latestEnd(REPLACED) - Date.parse(REPLACED)).toBe(longest * 1_000);
  });
});

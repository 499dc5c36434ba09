import { describe, expect, it } from 'vitest';
import { stepStarts, type StepRange } from './step-starts.js';

const shown = (range: StepRange, given: readonly string[] = []) =>
  stepStarts(range, new Set(given.map((at) => Date.parse(at)))).map((at) => new Date(at).toISOString().slice(5, 16));

describe("the beginnings of a chart's steps", () => {
  it('are those of the clocks of Berlin, also for quarters of a day', () => {
    const range = { from: '2026-11-27T23:00:00Z', to: '2026-11-28T16:00:00Z', step: '6h', timezone: 'Europe/Berlin' };
    expect(shown(range as StepRange)).toEqual(['11-27T23:00', '11-28T05:00', '11-28T11:00']);
  });

  it('stay at the same time of the day when clocks are put forward and back', () => {
    const spring = { from: '2026-03-28T17:00:00Z', to: '2026-03-29T12:00:00Z', step: '6h', timezone: 'Europe/Berlin' };
    expect(shown(spring as StepRange)).toEqual(['03-28T17:00', '03-28T23:00', '03-29T04:00', '03-29T10:00']);
    const autumn = { from: '2026-10-23T22:00:00Z', to: '2026-10-26T12:00:00Z', step: '1d', timezone: 'Europe/Berlin' };
    expect(shown(autumn as StepRange)).toEqual(['10-23T22:00', '10-24T22:00', '10-25T23:00']);
  });

  it('are half past by UTC in India', () => {
    const range = { from: '2026-11-28T06:30:00Z', to: '2026-11-28T10:00:00Z', step: '1h', timezone: 'Asia/Kolkata' };
    expect(shown(range as StepRange)).toEqual(['11-28T06:30', '11-28T07:30', '11-28T08:30', '11-28T09:30']);
    const month = { from: '2026-11-27T18:30:00Z', to: '2026-11-28T12:00:00Z', step: '6h', timezone: 'Asia/Kolkata' };
    expect(shown(month as StepRange)).toEqual(['11-27T18:30', '11-28T00:30', '11-28T06:30']);
  });

  it('are as long as the first without a zone', () => {
    const range = { from: '2026-11-28T07:00:00Z', to: '2026-11-30T06:00:00Z', step: '1d', timezone: null };
    expect(shown(range as StepRange)).toEqual(['11-28T07:00', '11-29T07:00']);
  });

  it('are those that the API named where it begins a step otherwise', () => {
    const range = { from: '2026-04-04T10:30:00Z', to: '2026-04-05T12:00:00Z', step: '6h', timezone: null };
    expect(shown(range as StepRange, ['2026-04-04T17:00:00Z'])).toEqual([
      '04-04T10:30',
      '04-04T17:00',
      '04-04T23:00',
      '04-05T05:00',
      '04-05T11:00',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { holdLines, overlap } from './pause.js';

const ALL = { formId: null, endpointId: null };
const FORM = { formId: 'f_1', endpointId: null };
const ENDPOINT = { formId: 'f_1', endpointId: 'we_1' };
const since = new Date('2026-11-30T03:00:00Z');

describe('pause and resume', () => {
  it('never say that deliveries go on which another pause holds', () => {
    expect(holdLines({ scope: FORM, paused: false, changed: true }, [{ ...ALL, since }])).toEqual([
      'deliveries of f_1: this pause is ended, others stand',
      '  still held back: all deliveries, since 2026-11-30T03:00:00.000Z',
    ]);
    expect(holdLines({ scope: FORM, paused: false, changed: false }, [{ ...ENDPOINT, since }])).toEqual([
      'deliveries of f_1: no such pause stood, others do',
      '  still held back: deliveries of f_1 to we_1, since 2026-11-30T03:00:00.000Z',
    ]);
    expect(holdLines({ scope: FORM, paused: false, changed: true }, [])).toEqual(['deliveries of f_1: go on']);
  });

  it('say what was held back already', () => {
    expect(holdLines({ scope: ENDPOINT, paused: true, changed: true }, [{ ...FORM, since }])).toEqual([
      'deliveries of f_1 to we_1: held back',
      '  held back already: deliveries of f_1, since 2026-11-30T03:00:00.000Z',
    ]);
    expect(holdLines({ scope: ALL, paused: true, changed: false }, [])).toEqual([
      'all deliveries: were held back already',
    ]);
  });

  it('know which pauses hold some of the same deliveries', () => {
    expect([overlap(ALL, ENDPOINT), overlap(FORM, ALL), overlap(FORM, ENDPOINT)]).toEqual([true, true, true]);
    expect(overlap(FORM, { formId: 'f_2', endpointId: null })).toBe(false);
    expect(overlap(ENDPOINT, { formId: 'f_1', endpointId: 'we_2' })).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { keepDraft, keptDraft } from './kept-draft.js';

describe('a draft', () => {
  it('is there again until it is forgotten', () => {
    keepDraft('endpoint we_1', { description: 'typed' });
    expect(keptDraft('endpoint we_1')).toEqual({ description: 'typed' });
    keepDraft('endpoint we_1', undefined);
    expect(keptDraft('endpoint we_1')).toBeUndefined();
  });

  it('goes when many others were begun after it', () => {
    for (let n = 0; n < 51; n++) keepDraft(`draft ${n}`, n);
    expect(keptDraft('draft 0')).toBeUndefined();
    expect(keptDraft('draft 1')).toBe(1);
    expect(keptDraft('draft 50')).toBe(50);
  });
});

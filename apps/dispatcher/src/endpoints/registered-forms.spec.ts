import { describe, expect, it } from 'vitest';
import { anEndpoint } from '../testing/factories.js';
import { RegisteredForms } from './registered-forms.js';

const THERE = { registered: true, deleted: false, endpoints: [anEndpoint()] };
const EMPTY = { ...THERE, endpoints: [] };
const NEVER_HAD = { registered: false, deleted: false, endpoints: [] };
const DELETED = { ...NEVER_HAD, deleted: true };

/** What each of these answers, a second after the other, shows of the form. */
function shown(...replies: (typeof THERE)[]): boolean[] {
  const forms = new RegisteredForms();
  return replies.map((reply, n) => forms.note('f_1', reply, n * 1_000));
}

describe('a form', () => {
  it('is missing once it was registered and config’s database knows nothing of it', () => {
    expect(shown(THERE, NEVER_HAD, NEVER_HAD)).toEqual([false, true, true]);
    expect(shown(EMPTY, NEVER_HAD)).toEqual([false, true]);
  });

  it('is not if nobody ever heard of it, or if it was deleted', () => {
    expect(shown(NEVER_HAD, NEVER_HAD)).toEqual([false, false]);
    expect(shown(THERE, DELETED, NEVER_HAD)).toEqual([false, false, false]);
  });

  it('that is registered again is missing until it has an endpoint, for two minutes at most', () => {
    expect(shown(THERE, NEVER_HAD, EMPTY, THERE, NEVER_HAD)).toEqual([false, true, true, false, true]);
    const forms = new RegisteredForms();
    for (const reply of [THERE, NEVER_HAD]) forms.note('f_1', reply, 0);
    expect([119_999, 120_000].map((at) => forms.note('f_1', EMPTY, at))).toEqual([true, false]);
  });

  it('that always was there without an endpoint is not missing', () => {
    expect(shown(EMPTY, THERE, EMPTY)).toEqual([false, false, false]);
  });
});

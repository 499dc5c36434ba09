import { describe, expect, it } from 'vitest';
import { ownSample, sampleOf } from './form-sample.js';

const payloadOf = (fields: unknown): string => JSON.stringify({ event: 'submission.created', form_id: 'f_1', fields });

describe("a sample of a form's fields", () => {
  it('has their names and kinds, and nothing of what was submitted', () => {
    const fields = {
      ...{ email: 'grace@navy.example', name: 'Grace', age: 79, agreed: false, site: 'http://secret.example/x' },
      ...{
        born: '1906-12-09',
        at: '1992-01-01T00:00:00Z',
        none: null,
        empty: '',
        tags: ['a', 'b'],
        sub: { city: 'NYC' },
      },
    };
    expect(sampleOf(payloadOf(fields))).toEqual({
      ...{ email: 'ada@example.com', name: 'Sample name', age: 1, agreed: true, site: 'https://example.com/' },
      ...{ born: '2030-01-31', at: '2030-01-31T12:00:00Z', none: null, empty: '', tags: ['Sample tags'] },
      sub: { city: 'Sample city' },
    });
  });

  it.each(['', '[]', 'null', '{"fields":[]}', '{"fields":null}', '{}'])('is none of %j', (payload) => {
    expect(sampleOf(payload)).toBeUndefined();
  });

  it('stays small, whatever was submitted', () => {
    let deep: unknown = 1;
    for (let n = 0; n < 1_000; n++) deep = { deep };
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n]));
    expect(JSON.stringify(sampleOf(payloadOf({ deep, many }))).length).toBeLessThan(4_000);
  });
});

describe('the newest submission of a form', () => {
  it('is a sample, or says why it is none', () => {
    expect(ownSample(payloadOf({ age: 79 }))).toEqual({ fields: { age: 1 } });
    expect(ownSample(undefined)).toEqual({ none: 'nothing' });
    expect(ownSample(null)).toEqual({ none: 'erased' });
    expect([ownSample(payloadOf({})), ownSample('{}')]).toEqual([{ none: 'no-fields' }, { none: 'no-fields' }]);
  });
});

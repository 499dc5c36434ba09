import { describe, expect, it } from 'vitest';
import { readSample, SAMPLE_TEXT } from './sample-text.js';

describe('the fields of a test', () => {
  it('are an object, as it begins with', () => {
    expect(readSample(SAMPLE_TEXT)).toMatchObject({ fields: { email: 'ada@example.com' } });
    expect(readSample('{}')).toEqual({ fields: {} });
  });

  it.each(['', 'text', '[1]', 'null', '{"a":1,}', '7'])('are not what is no object: %j', (text) => {
    expect(readSample(text)).toEqual({ problem: 'test.fields.wrong' });
  });

  it('are not those with a number that would be sent as another', () => {
    expect(readSample('{"order_no": 12345678901234567}')).toEqual({ problem: 'test.fields.inexact' });
    expect(readSample('{"order_no": "12345678901234567"}')).toHaveProperty('fields');
  });

  it('are not longer than the service takes them', () => {
    const kindOf = (letters: number) => Object.keys(readSample(JSON.stringify({ a: 'ü'.repeat(letters) })));
    expect([kindOf(32_764), kindOf(32_765)]).toEqual([['fields'], ['problem']]);
  });
});

import { describe, expect, it } from 'vitest';
import { checkIfMatch, etagOf } from './etag.js';

describe('If-Match', () => {
  it.each([undefined, '*', '"3"', '"1", "3"', ' "3" '])('of %s passes at version 3', (header) => {
    expect(() => checkIfMatch(header, 3)).not.toThrow();
  });

  it.each(['"2"', 'W/"3"', '3', '', '"33"'])('of %s does not', (header) => {
    expect(() => checkIfMatch(header, 3)).toThrow('it is at version 3 now');
  });

  it('is compared with the ETag', () => {
    expect(etagOf(3)).toBe('"3"');
  });
});

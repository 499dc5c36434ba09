import { describe, expect, it } from 'vitest';
import { bearerCredential } from './bearer-credential.js';

describe('bearerCredential', () => {
  const limits = { maxLength: 10 };

  it.each(['Bearer abc.~!', 'bearer abc.~!', 'BEARER   abc.~!'])('finds the credential in %j', (authorization) => {
    expect(bearerCredential(authorization, limits)).toBe('abc.~!');
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearerabc',
    'Basic abc',
    ' Bearer abc',
    'Bearer abc def',
    'Bearer é',
    'Bearer\tabc',
  ])('finds none in %j', (authorization) => {
    expect(bearerCredential(authorization, limits)).toBeUndefined();
  });

  it('takes one that is as long as allowed, and no longer one', () => {
    expect(bearerCredential(`Bearer ${'x'.repeat(10)}`, limits)).toBe('x'.repeat(10));
    expect(bearerCredential(`Bearer ${'x'.repeat(11)}`, limits)).toBeUndefined();
  });

  it('takes as many spaces as allowed', () => {
    expect(bearerCredential('Bearer x', { ...limits, maxSpaces: 1 })).toBe('x');
    expect(bearerCredential('Bearer  x', { ...limits, maxSpaces: 1 })).toBeUndefined();
  });
});

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { asAdminKey } from './admin-key-strength.js';

describe('the admin key', () => {
  it.each([
    ['a'.repeat(40), 'only 1 different'],
    ['0123456789012345678901234567', 'too easily guessed'],
    ['abcdefghijklmnopqrstuvwxyz', 'too easily guessed'],
    ['qwertyui'.repeat(4), 'too easily guessed'],
    ['my-password-of-the-admin-4711', 'placeholder'],
    ['changemechangemechangeme', 'placeholder'],
    ['short-but-fine-9f8e7d', 'shorter than 24'],
    ['with a blank in its middle 93', 'visible ASCII'],
  ])('is refused if it is %s, in words that do not repeat it', (weak, words) => {
    expect(() => asAdminKey(weak)).toThrow(words);
    expect(() => asAdminKey(weak)).not.toThrow(weak);
  });

  it('may be any random text', () => {
    for (let n = 0; n < 500; n++) {
      for (const encoding of ['hex', 'base64url'] as const) {
        const key = randomBytes(24).toString(encoding);
        expect(asAdminKey(key)).toBe(key);
      }
    }
  });
});

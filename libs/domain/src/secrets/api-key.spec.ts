import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { API_KEY_ID_PATTERN, generateApiKey, hashApiKey, parseApiKey } from './api-key.js';

describe('API keys', () => {
  it('reads back the id and the hash of a key it made', () => {
    const { id, key, hash } = generateApiKey();
    expect(id).toMatch(API_KEY_ID_PATTERN);
    expect(parseApiKey(key)).toEqual({ id, hash });
    expect(hash).toBe(hashApiKey(key));
  });

  it('never makes one key twice', () => {
    const made = Array.from({ length: 200 }, generateApiKey);
    expect(new Set(made.map(({ key }) => key)).size).toBe(200);
    expect(new Set(made.map(({ id }) => id)).size).toBe(200);
  });

  it('refuses a key with any one character changed', () => {
    const { key } = generateApiKey();
    const characters = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-. é');
    fc.assert(
      fc.property(fc.nat(key.length - 1), characters, (at, character) => {
        fc.pre(key[at] !== character);
        expect(parseApiKey(key.slice(0, at) + character + key.slice(at + 1))).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['', 'fwk_', 'Bearer x', 'a-free-form-admin-key-of-32-chars', 'fwk_é'])(
    'does not take %j for a key',
    (text) => {
      expect(parseApiKey(text)).toBeUndefined();
    },
  );

  it('refuses a cut, doubled or padded key', () => {
    const { key } = generateApiKey();
    for (const text of [key.slice(0, -1), key + key, `${key} `, ` ${key}`, `${key}\n`]) {
      expect(parseApiKey(text)).toBeUndefined();
    }
  });
});

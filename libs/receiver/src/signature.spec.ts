import { createHmac } from 'node:crypto';
// eslint-disable-next-line @nx/enforce-module-boundaries -- the kit ships without its specs, and it is what may import nothing
import { describe, expect, it } from 'vitest';
import { verifySignature } from './signature.js';

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
const BODY = '{"event":"submission.created","fields":{"name":"Zoë 你好 🎉","n":12345678901234567890,"x":1.0}}';
const sign = (body: string | Buffer, secret = SECRET): string =>
  createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex');

describe('verifySignature', () => {
  it('accepts the signature of the raw body, given as text or as bytes', () => {
    expect(verifySignature(BODY, sign(BODY), SECRET)).toBe(true);
    expect(verifySignature(Buffer.from(BODY, 'utf8'), sign(BODY), SECRET)).toBe(true);
  });

  it('agrees with a known vector, keyed by the secret as text and not by its decoded bytes', () => {
    const known = 'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8';
    expect(verifySignature('The quick brown fox jumps over the lazy dog', known, 'key')).toBe(true);
    const byBytes = createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
      .update(BODY)
      .digest('hex');
    expect(verifySignature(BODY, byBytes, SECRET)).toBe(false);
  });

  it('accepts bytes that are not valid UTF-8', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    expect(verifySignature(bytes, sign(bytes), SECRET)).toBe(true);
  });

  it('refuses a body that was parsed and written out again', () => {
    expect(verifySignature(JSON.stringify(JSON.parse(BODY)), sign(BODY), SECRET)).toBe(false);
  });

  it.each([
    ['a missing header', undefined],
    ['a repeated header', [sign(BODY), sign(BODY)]],
    ['an empty header', ''],
    ['upper case', sign(BODY).toUpperCase()],
    ['another length', sign(BODY).slice(2)],
    ['a trailing line break', `${sign(BODY)}\n`],
    ['characters that are no hex', 'z'.repeat(64)],
    ['a prefix', `sha256=${sign(BODY)}`],
    ['one changed digit', sign(BODY).replace(/^./, (digit) => (digit === '0' ? '1' : '0'))],
    ['the signature of another secret', sign(BODY, 'whsec_other')],
    ['the signature of another body', sign(`${BODY} `)],
  ])('refuses %s', (_case, header) => {
    expect(verifySignature(BODY, header, SECRET)).toBe(false);
  });

  it('does not work without a secret', () => {
    for (const secret of ['', undefined as unknown as string]) {
      expect(() => verifySignature(BODY, sign(BODY, ''), secret)).toThrow('the signing secret is empty');
    }
  });
});

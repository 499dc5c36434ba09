import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anAnswer } from '../testing/factories.js';
import { overlapOf, withoutValues } from './own-headers.js';

describe('an attempt that leaves the dispatcher', () => {
  const own = { authorization: 'Bearer canary-1', 'x-short': 'abc' };
  const response = { status: 200, truncated: false };

  it('shows which headers of the owner were sent, and none of their values', () => {
    const sent = anAnswer(200, { requestHeaders: { 'user-agent': 'spec', ...own } });
    expect(withoutValues(sent, own).requestHeaders).toEqual({
      'user-agent': 'spec',
      authorization: '***',
      'x-short': '***',
    });
  });

  it('shows no value where the receiver repeats it, and leaves what is only alike', () => {
    const headers = { 'x-request-id': 'for Bearer canary-1' };
    const sent = anAnswer(200, { response: { ...response, headers, excerpt: '{"got":"Bearer canary-1","abc":1}' } });
    expect(withoutValues(sent, own).response).toEqual({
      ...response,
      headers: { 'x-request-id': 'for ***' },
      excerpt: '{"got":"***","abc":1}',
    });
  });

  it.each([
    ['the credential without its scheme', 'token canary-long-secret', 'token ***'],
    ['in JSON', '{"got":"say \\"canary\\" to it"}', '{"got":"***"}'],
    ['in a URL', 'https://x.example/?t=say%20%22canary%22%20to%20it', 'https://x.example/?t=***'],
    ['cut off at the end of what is kept', 'you sent Bearer canary-long-sec', 'you sent ***'],
    ['its credential cut off', 'you sent canary-lo', 'you sent ***'],
  ])('shows no part of a value that the receiver repeats otherwise: %s', (_, excerpt, shown) => {
    const values = { authorization: 'Bearer canary-long-secret', 'x-quoted': 'say "canary" to it' };
    const sent = anAnswer(200, { response: { ...response, headers: { server: excerpt }, excerpt } });
    const { response: answer } = withoutValues(sent, values);
    expect([answer?.excerpt, answer?.headers['server']]).toEqual([shown, shown]);
  });

  it('shows no rest of a value that begins like another', () => {
    const values = { 'x-a': 'canary-12', 'x-b': 'canary-12-and-more' };
    const sent = anAnswer(200, { response: { ...response, headers: {}, excerpt: 'canary-12-and-more' } });
    expect(withoutValues(sent, values).response?.excerpt).toBe('***');
  });

  it.each([
    ['in plain', Buffer.from('\xff canary-1-and-more', 'latin1'), '\ufffd canary-1-and-more', undefined],
    ['two bytes a character', Buffer.from('canary-1-and-more', 'utf16le'), 'canary-1-and-more', undefined],
    ['nowhere', Buffer.from('\xff fine', 'latin1'), '\ufffd fine', '/yBmaW5l'],
  ])('has no bytes of an answer in which a value stands: %s', (_, came, excerpt, kept) => {
    const values = { authorization: 'Bearer canary-1-and-more' };
    const answer = { ...response, headers: {}, excerpt, bytes: came.toString('base64') };
    expect(withoutValues(anAnswer(200, { response: answer }), values).response?.bytes).toBe(kept);
  });

  it('is as it was without such headers', () => {
    const sent = anAnswer(200);
    expect(withoutValues(sent, {})).toBe(sent);
  });
});

describe('how much of a value an answer ends with', () => {
  // Of few letters, so that texts and values overlap, and begin again within themselves.
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });

  /** By trying each length. */
  const naive = (of: string, value: string): number => {
    const lengths = Array.from({ length: value.length }, (_, length) => length);
    return lengths.filter((length) => of.endsWith(value.slice(0, length))).at(-1) ?? 0;
  };

  it('is the longest beginning of the value, but not all of it, that is the end', () => {
    const whole = fc.tuple(text, text);
    const cut = fc.tuple(text, text, fc.nat(40)).map(([of, value, at]): [string, string] => {
      return [of + value.slice(0, at), value];
    });
    fc.assert(
      fc.property(fc.oneof(whole, cut), ([of, value]) => {
        expect(overlapOf(of, value)).toBe(naive(of, value));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['alike but for their ends', 'c', 'b'],
    ['the same', '', ''],
    ['alike in parts', 'ab'.repeat(500), 'b'],
  ])('is found without looking at a character more than a few times: texts that are %s', (_, endOfText, endOfValue) => {
    let looks = 0;
    const counted = (all: string): ArrayLike<string> =>
      new Proxy([...all], {
        get: (target, key) => (key === 'length' || (looks += 1), Reflect.get(target, key) as unknown),
      });
    const [of, value] = ['a'.repeat(2_000) + endOfText, 'a'.repeat(1_000) + endOfValue];
    expect(overlapOf(counted(of), counted(value))).toBe(naive(of, value));
    expect(looks).toBeLessThanOrEqual(5 * (of.length + value.length));
  });
});

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyRing, type SecretContext } from './secret-box.js';

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const ring = new KeyRing(`k1:${key(1)}`);
const context: SecretContext = { workspaceId: 'ws_1', endpointId: 'we_1', secretId: 'sec_1' };
const DOES_NOT_OPEN = /^secret sec_1 does not open: it was changed, or belongs to another endpoint$/;

describe('KeyRing', () => {
  it('opens what it sealed, whatever it is, and never seals alike twice', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).map((text) => Buffer.from(text).toString()),
        (secret) => {
          const sealed = ring.seal(secret, context);
          expect(ring.open(sealed, context)).toBe(secret);
          expect(ring.seal(secret, context)).not.toBe(sealed);
        },
      ),
    );
  });

  it('shows nothing of the secret', () => {
    const sealed = ring.seal('whsec_canary', context);
    expect(sealed).toMatch(/^1\.k1\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed.split('.')[3]!, 'base64url').includes('canary')).toBe(false);
  });

  it.each<[string, Partial<SecretContext>]>([
    ['workspace', { workspaceId: 'ws_2' }],
    ['endpoint', { endpointId: 'we_2' }],
    ['secret', { secretId: 'sec_2' }],
  ])('does not open what was moved to another %s', (_what, change) => {
    const sealed = ring.seal('whsec_x', context);
    expect(() => ring.open(sealed, { ...context, ...change })).toThrow(/does not open/);
  });

  it('opens the value of a header for its endpoint and name alone, and never as a secret', () => {
    const header = { workspaceId: 'ws_1', endpointId: 'we_1', headerName: 'authorization' };
    const sealed = ring.seal('Bearer x', header);
    expect(ring.open(sealed, header)).toBe('Bearer x');
    const others = [{ workspaceId: 'ws_2' }, { endpointId: 'we_2' }, { headerName: 'x-api-key' }];
    for (const other of [...others.map((change) => ({ ...header, ...change })), context]) {
      expect(() => ring.open(sealed, other)).toThrow(/does not open: it was changed, or belongs to another endpoint/);
    }
  });

  it('opens an answer for its caller and key alone, and never as a secret', () => {
    const answer = { caller: 'ws_1:key:key_1', idempotencyKey: 'k-1' };
    const sealed = ring.seal('{"secret":"whsec_x"}', answer);
    expect(ring.open(sealed, answer)).toBe('{"secret":"whsec_x"}');
    for (const other of [{ ...answer, caller: 'ws_1:key:key_2' }, { ...answer, idempotencyKey: 'k-2' }, context]) {
      expect(() => ring.open(sealed, other)).toThrow(/does not open: it was changed, or belongs to another/);
    }
  });

  it('does not open a text with any one character changed, dropped or added', () => {
    const sealed = ring.seal('whsec_x', context);
    const body = sealed.indexOf('.', 2) + 1;
    const character = fc.constantFrom(...'AQgw_-.=+/ \né');
    fc.assert(
      fc.property(fc.integer({ min: body, max: sealed.length - 1 }), fc.nat(2), character, (at, kind, put) => {
        const cut = sealed.slice(at + (kind === 2 ? 0 : 1));
        const changed = sealed.slice(0, at) + (kind === 0 ? '' : put) + cut;
        fc.pre(changed !== sealed);
        expect(() => ring.open(changed, context)).toThrow(DOES_NOT_OPEN);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '1.k1',
    '1.k1.',
    '1.k1..',
    '1.k1.AAAA.AAAA',
    '2.k1.AAAAAAAAAAAAAAAA.AAAA',
    `1.k1.AAAAAAAAAAAAAAAA.${'A'.repeat(20)}`,
  ])('does not open %s, and says so in one way', (text) =>
    expect(() => ring.open(text, context)).toThrow(DOES_NOT_OPEN),
  );

  it('does not open with a shorter tag', () => {
    const [version, id, iv, sealed] = ring.seal('whsec_x', context).split('.');
    const bytes = Buffer.from(sealed!, 'base64url');
    const cut = bytes.subarray(0, bytes.length - 12).toString('base64url');
    expect(() => ring.open([version, id, iv, cut].join('.'), context)).toThrow(DOES_NOT_OPEN);
  });

  it('names a key that it does not hold, and nothing else', () => {
    const sealed = new KeyRing(`old:${key(2)}`).seal('whsec_canary', context);
    expect(() => ring.open(sealed, context)).toThrow(
      'secret sec_1 is sealed with key "old", which SECRET_KEYS does not hold',
    );
    expect(() => ring.open('', context)).toThrow('is sealed with key "?"');
    expect(() => ring.open('1.__proto__.AAAA.AAAA', context)).toThrow('which SECRET_KEYS does not hold');
  });

  it('seals with the first key and opens with all, so that a key can be replaced', () => {
    const before = ring.seal('whsec_x', context);
    const rotated = new KeyRing(`k2:${key(2)}, k1:${key(1)}`);
    expect(rotated.activeKeyId).toBe('k2');
    expect(rotated.open(before, context)).toBe('whsec_x');
    expect(rotated.seal('whsec_x', context)).toMatch(/^1\.k2\./);
    expect(() => ring.open(rotated.seal('whsec_x', context), context)).toThrow('SECRET_KEYS does not hold');
  });

  it.each([
    ['nothing', ''],
    ['no id', `:${key(1)}`],
    ['no key', 'k1'],
    ['a short key', `k1:${Buffer.alloc(31).toString('base64')}`],
    ['a long key', `k1:${Buffer.alloc(33).toString('base64')}`],
    ['an id with a dot', `k.1:${key(1)}`],
    ['three parts', `k1:${key(1)}:x`],
    ['an id given twice', `k1:${key(1)},k1:${key(2)}`],
    ['two ids with one key', `k1:${key(1)},k2:${key(1)}`],
    ['an empty entry', `k1:${key(1)},`],
  ])('refuses %s', (_what, text) => {
    expect(() => new KeyRing(text)).toThrow(RangeError);
  });

  it('never shows a key in its complaint', () => {
    const secret = randomBytes(31).toString('base64');
    expect(() => new KeyRing(`k1:${secret}`)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(secret) as string }),
    );
  });
});

describe('a voucher', () => {
  it('holds for its text alone, with every key that the ring still has', () => {
    const voucher = ring.vouch('text');
    const rotated = new KeyRing(`k2:${key(2)},k1:${key(1)}`);
    for (const one of [ring, rotated]) {
      expect(() => one.checkVoucher('text', voucher)).not.toThrow();
      expect(() => one.checkVoucher('texts', voucher)).toThrow('it was changed');
    }
    expect(() => ring.checkVoucher('text', rotated.vouch('text'))).toThrow('key "k2", which SECRET_KEYS does not hold');
  });

  it.each([undefined, null, 1, '', '1', '1.k1', '1.k1.', '2.k1.AAAA', `1.__proto__.AAAA`, ring.seal('text', context)])(
    'is not %s',
    (voucher) => {
      expect(() => ring.checkVoucher('text', voucher)).toThrow(/^nobody vouches|^it (was changed|is vouched for)/);
    },
  );

  it('can not be made from what a sealed text shows', () => {
    expect(ring.vouch('text')).not.toBe(new KeyRing(`k1:${key(2)}`).vouch('text'));
    expect(() => ring.checkVoucher('text', new KeyRing(`k1:${key(2)}`).vouch('text'))).toThrow('it was changed');
  });
});

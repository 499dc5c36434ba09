import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { DeliveryId } from '../ids.js';
import { generateSecret, SECRET_PATTERN, secretHint, signatureHeaders, signBody, signStandard } from './signature.js';

const ID = 'dlv_2b7x' as DeliveryId;
const HEADER = 'X-Service-Signature';
const nowSeconds = () => Math.floor(Date.now() / 1_000);

describe('secrets', () => {
  it('are whsec_ and the base64 of 32 random bytes, each another', () => {
    const secrets = Array.from({ length: 100 }, generateSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(SECRET_PATTERN);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });

  it('are hinted at by their last four characters', () => expect(secretHint('whsec_abcdWXYZ')).toBe('whsec_…WXYZ'));
});

describe('signatures', () => {
  it('are what any other HMAC of the body gives, with the secret’s text as the key', () => {
    expect(signBody('key', Buffer.from('The quick brown fox jumps over the lazy dog'))).toBe(
      'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
    );
  });

  it('match the published test vector of Standard Webhooks', () => {
    const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek' as DeliveryId;
    const signed = signStandard(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      id,
      1614265330,
      Buffer.from('{"test": 2432232314}'),
    );
    expect(signed).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('are verified by the standardwebhooks package for any body', () => {
    const body = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => Buffer.from(JSON.stringify(value)));
    fc.assert(
      fc.property(body, (bytes) => {
        const secret = generateSecret();
        const headers = signatureHeaders({
          secrets: [secret],
          deliveryId: ID,
          unixSeconds: nowSeconds(),
          body: bytes,
          signatureHeader: HEADER,
        });
        expect(new Webhook(secret).verify(bytes, headers)).toEqual(JSON.parse(bytes.toString()));
        expect(headers[HEADER]).toBe(createHmac('sha256', Buffer.from(secret, 'utf8')).update(bytes).digest('hex'));
      }),
      { numRuns: 50 },
    );
  });

  it('verify with both secrets during an overlap; the plain header uses the new one', () => {
    const [fresh, old] = [generateSecret(), generateSecret()];
    const body = Buffer.from('{"a":1}');
    const headers = signatureHeaders({
      secrets: [fresh, old],
      deliveryId: ID,
      unixSeconds: nowSeconds(),
      body,
      signatureHeader: HEADER,
    });
    for (const secret of [fresh, old]) expect(new Webhook(secret).verify(body, headers)).toEqual({ a: 1 });
    expect(headers[HEADER]).toBe(signBody(fresh, body));
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
  });

  it('fail for another body, id, time or secret', () => {
    const secret = generateSecret();
    const body = Buffer.from('{"a":1}');
    // Read once: between two readings the clock can go on by the very second that is changed.
    const unixSeconds = nowSeconds();
    const headers = signatureHeaders({
      secrets: [secret],
      deliveryId: ID,
      unixSeconds,
      body,
      signatureHeader: HEADER,
    });
    const verify =
      (change: Record<string, string>, bytes = body, key = secret) =>
      () =>
        new Webhook(key).verify(bytes, { ...headers, ...change });
    expect(verify({})).not.toThrow();
    expect(verify({ 'webhook-id': 'dlv_other' })).toThrow();
    expect(verify({ 'webhook-timestamp': String(unixSeconds - 1) })).toThrow();
    expect(verify({}, Buffer.from('{"a":2}'))).toThrow();
    expect(verify({}, body, generateSecret())).toThrow();
  });

  it('need a secret', () => {
    expect(() =>
      signatureHeaders({ secrets: [], deliveryId: ID, unixSeconds: 1, body: Buffer.alloc(0), signatureHeader: HEADER }),
    ).toThrow(RangeError);
  });
});

import { validateHeaderName, validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOfHeaderName, faultOfHeaderValue, MAX_HEADER_NAME, MAX_HEADER_VALUE } from './custom-headers.js';

const RESERVED: ReadonlySet<string> = new Set(['x-service-signature']);

describe('the name of an endpoint’s own header', () => {
  it.each(['Authorization', 'X-Api-Key', 'x', 'A'.repeat(MAX_HEADER_NAME), "!#$%&'*+-.^_`|~9"])('can be %s', (name) =>
    expect(faultOfHeaderName(name, RESERVED)).toBeUndefined(),
  );

  it.each([
    ['Host', 'not_allowed'],
    ['CONTENT-LENGTH', 'not_allowed'],
    ['Content-Type', 'not_allowed'],
    ['Transfer-Encoding', 'not_allowed'],
    ['Connection', 'not_allowed'],
    ['Keep-Alive', 'not_allowed'],
    ['TE', 'not_allowed'],
    ['Trailer', 'not_allowed'],
    ['Upgrade', 'not_allowed'],
    ['Expect', 'not_allowed'],
    ['Cookie', 'not_allowed'],
    ['User-Agent', 'not_allowed'],
    ['Accept-Encoding', 'not_allowed'],
    ['Proxy-Authorization', 'not_allowed'],
    ['X-Forwarded-For', 'not_allowed'],
    ['Webhook-Id', 'not_allowed'],
    ['webhook-anything', 'not_allowed'],
    ['X-Service-Signature', 'not_allowed'],
    ['', 'format'],
    ['a b', 'format'],
    ['a:', 'format'],
    ['a\r\nb', 'format'],
    ['ä', 'format'],
    ['a'.repeat(MAX_HEADER_NAME + 1), 'too_long'],
  ])('is refused as %s: %s', (name, code) => expect(faultOfHeaderName(name, RESERVED)?.code).toBe(code));
});

describe('the value of an endpoint’s own header', () => {
  it.each(['Bearer abc.def', 'x', 'Basic Zm9vOmJhcg==', 'é', 'v'.repeat(MAX_HEADER_VALUE)])('can be %s', (value) =>
    expect(faultOfHeaderValue(value)).toBeUndefined(),
  );

  it.each([
    ['', 'format'],
    [' a', 'format'],
    ['a ', 'format'],
    ['a\nb', 'format'],
    ['a\rb', 'format'],
    ['a\u0000b', 'format'],
    ['a\u007fb', 'format'],
    ['€', 'format'],
    ['v'.repeat(MAX_HEADER_VALUE + 1), 'too_long'],
  ])('is refused as %j: %s', (value, code) => expect(faultOfHeaderValue(value)?.code).toBe(code));
});

it('what passes is a header to Node, so that no request of it can fail or be split', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 8 }),
      (name, value) => {
        if (!faultOfHeaderName(name, RESERVED)) validateHeaderName(name);
        if (!faultOfHeaderValue(value)) validateHeaderValue('x', value);
      },
    ),
    { numRuns: 5_000 },
  );
});

import { ArrayNotEmpty, IsString, Matches, ValidateIf, ValidateNested, validateSync } from 'class-validator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventBody, MetaBody, PaymentBody } from './event-body.js';
import { isFaultless } from './is-faultless.js';

const raw = fc.record({
  kind: fc.constantFrom('object', 'array', 'string', 'number', 'boolean', 'null'),
  bytes: fc.constantFrom('{}', '42', '-0', '4.2', '1e2', '"x"').map((text) => Buffer.from(text)),
});
const value = fc.oneof(
  fc.constantFrom(undefined, null, '', 'payment.succeeded', 'submission.created', 'f_1', 's_1', 'k', 'eur'),
  fc.constantFrom(7, true, {}, []),
  raw,
);
const occurrences = fc.array(value, { maxLength: 2 });

/** Mostly right: of members that are anything, hardly ever all would be. */
const mostly = (right: unknown) => fc.oneof({ weight: 8, arbitrary: fc.constant(right) }, value);
const anObject = { kind: 'object', bytes: Buffer.from('{}') };

const anEvent = fc
  .record({
    event: fc.oneof(mostly('submission.created'), mostly('payment.succeeded')),
    form_id: mostly('f_1'),
    submission_id: mostly('s_1'),
    fields: mostly(anObject),
    payment: fc.oneof(mostly(undefined), mostly(anObject)),
    meta: mostly(undefined),
    idempotency_key: mostly(undefined),
  })
  .map((members) => Object.assign(new EventBody(), members));
const aPayment = fc
  .tuple(fc.boolean(), fc.record({ status: occurrences, amount: occurrences, currency: occurrences }))
  .map(([complete, members]) => Object.assign(new PaymentBody(complete), members));
const aMeta = fc
  .record({ ip: occurrences, user_agent: occurrences, locale: occurrences })
  .map((members) => Object.assign(new MetaBody(), members));

const isTakenByLibrary = (body: object): boolean => validateSync(body).length === 0;

describe('a body without fault', () => {
  it('is one in which the library finds none', () => {
    const body = fc.oneof(anEvent, aPayment, aMeta);
    fc.assert(
      fc.property(body, (one) => {
        expect(isFaultless(one)).toBe(isTakenByLibrary(one));
      }),
      { numRuns: 5_000 },
    );
  });

  it('may lack what is judged on a condition only', () => {
    class Conditional {
      @Matches(/^a/, { each: true })
      @ArrayNotEmpty()
      @ValidateIf((_body, list) => list !== undefined)
      list: unknown;
    }
    for (const list of [undefined, ['a'], ['a', 'b'], [], 'a', 7]) {
      const body = Object.assign(new Conditional(), { list });
      expect(isFaultless(body)).toBe(isTakenByLibrary(body));
    }
  });

  it('is none of which a rule is not understood', () => {
    class Inner {
      @IsString()
      text = 'text';
    }
    class Outer {
      @ValidateNested()
      inner = new Inner();
    }
    expect(isFaultless(new Outer())).toBe(false);
    expect(isTakenByLibrary(new Outer())).toBe(true);
  });
});

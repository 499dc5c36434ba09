import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '../enumerations.js';
import { buildTail, sealEnvelope } from './envelope.js';
import type { DeliveryId } from '../ids.js';

const DELIVERY = 'dlv_1' as DeliveryId;
const base = { formId: 'f_1', submissionId: 's_1', fields: Buffer.from('{"a":1.0}'), meta: Buffer.from('{}') };

describe('the envelope', () => {
  it('reads as docs/verifying.md shows it, with payment only where it was sent', () => {
    const payment = Buffer.from('{"status":"succeeded","amount":4200,"currency":"eur"}');
    expect(sealEnvelope('payment.succeeded', DELIVERY, 1795810757, buildTail({ ...base, payment })).toString()).toBe(
      '{"event":"payment.succeeded","delivery_id":"dlv_1","timestamp":1795810757,"form_id":"f_1","submission_id":"s_1",' +
        '"fields":{"a":1.0},"payment":{"status":"succeeded","amount":4200,"currency":"eur"},"meta":{}}',
    );
    expect(buildTail(base).toString()).toBe('"form_id":"f_1","submission_id":"s_1","fields":{"a":1.0},"meta":{}}');
  });

  it('is JSON whose members are the texts that went in, for any of them', () => {
    const text = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
    const event = fc.constantFrom(...EVENT_NAMES);
    fc.assert(
      fc.property(
        event,
        fc.nat(),
        text,
        fc.option(text, { nil: undefined }),
        text,
        (name, at, fields, payment, meta) => {
          const parts = { ...base, fields: Buffer.from(fields), meta: Buffer.from(meta) };
          const tail = buildTail(payment === undefined ? parts : { ...parts, payment: Buffer.from(payment) });
          const sealed = sealEnvelope(name, DELIVERY, at, tail);
          const value = JSON.parse(sealed.toString()) as Record<string, unknown>;
          expect(value).toEqual({
            event: name,
            delivery_id: DELIVERY,
            timestamp: at,
            form_id: 'f_1',
            submission_id: 's_1',
            fields: JSON.parse(fields) as unknown,
            ...(payment === undefined ? {} : { payment: JSON.parse(payment) as unknown }),
            meta: JSON.parse(meta) as unknown,
          });
          expect(sealed.subarray(-tail.length).equals(tail)).toBe(true);
        },
      ),
    );
  });

  it('differs between two attempts in the timestamp alone', () => {
    const tail = buildTail(base);
    const [a, b] = [1, 2].map((at) => sealEnvelope('draft.resumed', DELIVERY, at, tail).toString());
    expect(a!.replace('"timestamp":1,', '"timestamp":2,')).toBe(b);
  });
});

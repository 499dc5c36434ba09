import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DoorFacts } from './door-facts.js';
import { readFormEvent } from './read-form-event.js';

const HTTP: DoorFacts = { keyName: 'Idempotency-Key', key: undefined, keyRequired: false };
const AMQP: DoorFacts = { keyName: 'message_id', key: 'm-1', keyRequired: true };
const PAYMENT = '{"status":"succeeded","amount":4200,"currency":"eur"}';

/** A valid event's text with the given members changed; undefined leaves one out. */
function anEvent(members: Record<string, string | undefined> = {}): string {
  const all: Record<string, string | undefined> = {
    event: '"submission.created"',
    form_id: '"f_1"',
    submission_id: '"s_1"',
    fields: '{}',
    ...members,
  };
  const given = Object.entries(all).filter(([, text]) => text !== undefined);
  return `{${given.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

const aPayment = (payment: string, more: Record<string, string | undefined> = {}): string =>
  anEvent({ event: '"payment.succeeded"', payment, ...more });

const read = (text: string, facts = HTTP) => readFormEvent(Buffer.from(text), facts);

function eventOf(text: string, facts = HTTP) {
  const reading = read(text, facts);
  if (!reading.ok) throw new Error(JSON.stringify(reading.refusal));
  return reading.event;
}

/** The faults as `field code`. */
function faultsOf(text: string, facts = HTTP): string[] {
  const reading = read(text, facts);
  if (reading.ok) return [];
  const { refusal } = reading;
  return refusal.kind === 'invalid' ? refusal.errors.map(({ field, code }) => `${field} ${code}`) : [refusal.code];
}

describe('readFormEvent', () => {
  it.each(['submission.created', 'draft.resumed'])('takes the least that %s needs', (event) => {
    const text = anEvent({ event: `"${event}"` });
    expect(eventOf(text)).toEqual({
      event,
      formId: 'f_1',
      submissionId: 's_1',
      fields: Buffer.from('{}'),
      meta: Buffer.from('{}'),
    });
  });

  it('cuts out the texts byte for byte', () => {
    const fields = '{ "a":1,"a":1.0 ,"__proto__":{"toString":1}}';
    const payment = '{"amount":0,"status":"","currency":"usd", "x":1e400}';
    const meta = '{"ip":null ,"ip":"::1","constructor":-0}';
    const event = eventOf(aPayment(payment, { fields, meta }));
    expect([event.fields, event.payment, event.meta].map(String)).toEqual([fields, payment, meta]);
    expect(({} as Record<string, unknown>)['toString']).toBe(Object.prototype.toString);
  });

  it('knows a member whose name or value is written with escapes', () => {
    const text = '{"\\u0065vent":"submission\\u002ecreated","form_id":"\\u0066_1","submission_id":"s_1","fields":{}}';
    expect(eventOf(text)).toMatchObject({ event: 'submission.created', formId: 'f_1' });
  });

  it.each([
    ['meta null', { meta: 'null' }],
    ['payment null', { payment: 'null' }],
    ['idempotency_key null', { idempotency_key: 'null' }],
  ])('counts %s as missing', (_what, members) => {
    expect(eventOf(anEvent(members))).toEqual(eventOf(anEvent()));
  });

  it.each([
    ['event', { event: undefined }, 'event required'],
    ['a null event', { event: 'null' }, 'event invalid_type'],
    ['a number as event', { event: '1' }, 'event invalid_type'],
    ['another event', { event: '"form.deleted"' }, 'event unknown_event'],
    ['an event in capitals', { event: '"Submission.Created"' }, 'event unknown_event'],
    ['no form_id', { form_id: undefined }, 'form_id required'],
    ['a number as form_id', { form_id: '1' }, 'form_id invalid_type'],
    ['a form_id without prefix', { form_id: '"1"' }, 'form_id invalid_format'],
    ['a form_id with a dot', { form_id: '"f_a.b"' }, 'form_id invalid_format'],
    ['a form_id of 61 characters', { form_id: `"f_${'a'.repeat(61)}"` }, 'form_id invalid_format'],
    ['a form_id that ends in a line break', { form_id: '"f_1\\n"' }, 'form_id invalid_format'],
    ['no submission_id', { submission_id: undefined }, 'submission_id required'],
    ['a form id as submission_id', { submission_id: '"f_1"' }, 'submission_id invalid_format'],
    ['no fields', { fields: undefined }, 'fields required'],
    ['null as fields', { fields: 'null' }, 'fields invalid_type'],
    ['an array as fields', { fields: '[]' }, 'fields invalid_type'],
    ['a text as fields', { fields: '"{}"' }, 'fields invalid_type'],
    ['an array as payment', { payment: '[]' }, 'payment invalid_type'],
    ['an array as meta', { meta: '[]' }, 'meta invalid_type'],
    ['a number as meta.ip', { meta: '{"ip":1}' }, 'meta.ip invalid_type'],
    ['an object as meta.user_agent', { meta: '{"user_agent":{}}' }, 'meta.user_agent invalid_type'],
    ['true as meta.locale', { meta: '{"locale":true}' }, 'meta.locale invalid_type'],
    ['a number as key', { idempotency_key: '1' }, 'idempotency_key invalid_type'],
    ['an empty key', { idempotency_key: '""' }, 'idempotency_key invalid_format'],
    ['a key with a blank', { idempotency_key: '"a b"' }, 'idempotency_key invalid_format'],
    ['a key of 129 characters', { idempotency_key: `"${'k'.repeat(129)}"` }, 'idempotency_key invalid_format'],
    ['an unknown member', { extra: '1' }, 'extra unknown_member'],
    ['__proto__ as a member', Object.fromEntries([['__proto__', '{}']]), '__proto__ unknown_member'],
    ['constructor as a member', { constructor: '1' }, 'constructor unknown_member'],
  ])('refuses %s', (_what, members, fault) => {
    expect(faultsOf(anEvent(members as Record<string, string>))).toEqual([fault]);
  });

  it.each([
    ['null', 'payment required'],
    ['{"amount":1,"currency":"eur"}', 'payment.status required'],
    ['{"status":"succeeded","currency":"eur"}', 'payment.amount required'],
    ['{"status":"succeeded","amount":null,"currency":"eur"}', 'payment.amount required'],
    ['{"status":"succeeded","amount":1}', 'payment.currency required'],
    ['{"status":1,"amount":1,"currency":"eur"}', 'payment.status invalid_type'],
    ['{"status":"s","amount":"1","currency":"eur"}', 'payment.amount invalid_type'],
    ['{"status":"s","amount":42.0,"currency":"eur"}', 'payment.amount invalid_type'],
    ['{"status":"s","amount":1e2,"currency":"eur"}', 'payment.amount invalid_type'],
    ['{"status":"s","amount":1,"amount":1.5,"currency":"eur"}', 'payment.amount invalid_type'],
    ['{"status":"s","amount":1,"currency":"EUR"}', 'payment.currency invalid_format'],
    ['{"status":"s","amount":1,"currency":"euro"}', 'payment.currency invalid_format'],
    ['{"status":"s","amount":1,"currency":"eur\\n"}', 'payment.currency invalid_format'],
    ['{"status":"s","amount":1,"currency":978}', 'payment.currency invalid_type'],
  ])('refuses payment.succeeded with payment %s', (payment, fault) => {
    expect(faultsOf(aPayment(payment))).toEqual([fault]);
  });

  it('requires payment on payment.succeeded', () => {
    expect(faultsOf(anEvent({ event: '"payment.succeeded"' }))).toEqual(['payment required']);
  });

  it.each(['0', '-1', '4200', '12345678901234567890'])('takes the amount %s', (amount) => {
    const payment = `{"status":"succeeded","amount":${amount},"currency":"eur"}`;
    expect(eventOf(aPayment(payment)).payment?.toString()).toBe(payment);
  });

  it('passes a payment of another event through, and judges only the members that it has', () => {
    expect(eventOf(anEvent({ payment: '{}' })).payment?.toString()).toBe('{}');
    expect(faultsOf(anEvent({ payment: '{"amount":1.5}' }))).toEqual(['payment.amount invalid_type']);
  });

  it('refuses a member given twice, also when one name is written with escapes', () => {
    expect(
      faultsOf('{"event":"submission.created","form_id":"f_1","submission_id":"s_1","fields":{},"fields":{}}'),
    ).toEqual(['fields duplicate_member']);
    expect(
      faultsOf('{"event":"submission.created","form_id":"f_1","submission_id":"s_1","fields":{},"\\u0066ields":{}}'),
    ).toEqual(['fields duplicate_member']);
  });

  it('tells all faults at once', () => {
    const faults = faultsOf(
      anEvent({
        event: '"x"',
        form_id: '1',
        submission_id: undefined,
        fields: '1',
        payment: '{"amount":"1"}',
        meta: '{"ip":1}',
        a: '1',
        b: '2',
      }),
      { ...AMQP, key: '' },
    );
    expect(faults.sort()).toEqual([
      'a unknown_member',
      'b unknown_member',
      'event unknown_event',
      'fields invalid_type',
      'form_id invalid_type',
      'message_id invalid_format',
      'meta.ip invalid_type',
      'payment.amount invalid_type',
      'submission_id required',
    ]);
  });

  it('tells at most fifty, and shows a stranger’s names short and printable', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`m${i}`, '1']));
    expect(faultsOf(anEvent(many))).toHaveLength(50);
    expect(faultsOf(anEvent({ [`\n\u202e${'x'.repeat(1_000)}`]: '1' }))).toEqual([
      `??${'x'.repeat(62)}… unknown_member`,
    ]);
  });

  it('never repeats a value', () => {
    const canary = 'canary-7f3a';
    const texts = ['event', 'form_id', 'submission_id', 'fields', 'payment', 'meta', 'idempotency_key'].map((name) =>
      anEvent({ [name]: `"${canary} "` }),
    );
    texts.push(
      aPayment(`{"status":["${canary}"],"amount":"${canary}","currency":"${canary}"}`),
      `{"${canary}`,
      `{"a":${canary}}`,
    );
    for (const text of texts) {
      const reading = read(text);
      expect(reading.ok).toBe(false);
      expect(JSON.stringify(reading)).not.toContain(canary);
    }
  });

  it.each([
    ['', 'bad_json'],
    ['{not json', 'bad_json'],
    ['123', ' not_an_object'],
    ['[]', ' not_an_object'],
    ['null', ' not_an_object'],
    [`\ufeff${anEvent()}`, 'bad_encoding'],
    [anEvent({ fields: `{"a":${'['.repeat(100_000)}` }), 'too_deep'],
  ])('refuses %j', (text, fault) => {
    expect(faultsOf(text.toString())).toEqual([fault]);
  });

  it('survives whatever bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readFormEvent(Buffer.from(bytes), HTTP).ok).toBe(false);
      }),
    );
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(read(anEvent({ fields: text, meta: text, payment: text }))).toBeDefined();
      }),
    );
  });
});

describe('the idempotency key', () => {
  it.each([
    ['in the body', anEvent({ idempotency_key: '"a.B_9:-"' }), HTTP, 'a.B_9:-'],
    ['in the header', anEvent(), { ...HTTP, key: 'k' }, 'k'],
    ['in both alike', anEvent({ idempotency_key: '"k"' }), { ...HTTP, key: 'k' }, 'k'],
    ['as message_id', anEvent(), AMQP, 'm-1'],
    ['as message_id and in the body alike', anEvent({ idempotency_key: '"m-1"' }), AMQP, 'm-1'],
    ['nowhere over HTTP', anEvent(), HTTP, undefined],
  ])('is taken %s', (_where, text, facts, key) => {
    expect(eventOf(text, facts).key).toBe(key);
  });

  it.each([
    [
      'header and body that differ',
      anEvent({ idempotency_key: '"a"' }),
      { ...HTTP, key: 'b' },
      'idempotency_key key_mismatch',
    ],
    ['message_id and body that differ', anEvent({ idempotency_key: '"a"' }), AMQP, 'idempotency_key key_mismatch'],
    ['no message_id', anEvent({ idempotency_key: '"a"' }), { ...AMQP, key: undefined }, 'message_id required'],
    ['an empty header', anEvent(), { ...HTTP, key: '' }, 'Idempotency-Key invalid_format'],
    ['a header given twice', anEvent(), { ...HTTP, key: 'a, b' }, 'Idempotency-Key invalid_format'],
    ['a message_id with NUL', anEvent(), { ...AMQP, key: 'a\0b' }, 'message_id invalid_format'],
    ['a routing key of another event', anEvent(), { ...AMQP, routedAs: 'draft.resumed' }, 'event routing_key_mismatch'],
  ])('refuses %s', (_what, text, facts, fault) => {
    expect(faultsOf(text, facts)).toEqual([fault]);
  });

  it('lets a routing key that names the same event pass', () => {
    expect(eventOf(aPayment(PAYMENT), { ...AMQP, routedAs: 'payment.succeeded' }).event).toBe('payment.succeeded');
  });
});

import { EVENT_NAMES } from '@form-webhooks/domain';
import { rulesOf, type MemberRules, type SchemaPart } from '@form-webhooks/http-edge';
import { EventBody, MetaBody, PaymentBody } from '../../accept/event-body.js';

/** The rules of our own that values are judged by as they are written. */
const OWN_RULES = { isObjectText: () => ({ type: 'object' }), isIntegerText: () => ({ type: 'integer' }) };

/** The one event that must say what was paid. */
const WITH_PAYMENT: (typeof EVENT_NAMES)[number] = 'payment.succeeded';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  fields: 'What was filled in. Its text is delivered as it is sent, numbers of any length included',
  payment: `Required on ${WITH_PAYMENT}, with status, amount in the currency's smallest unit, and currency`,
  meta: 'What is known of the respondent',
  idempotency_key: 'Names the occurrence; the same as the header Idempotency-Key, where both are given',
};

/** What an event's body must be, by the classes that check it. */
export function eventSchema(): SchemaPart {
  const members = rulesOf(EventBody, OWN_RULES);
  const payment = rulesOf(PaymentBody, OWN_RULES);
  const inner: Readonly<Record<string, SchemaPart>> = {
    payment: { properties: occurrences(payment) },
    meta: { properties: occurrences(rulesOf(MetaBody, OWN_RULES)) },
  };
  const properties = [...members].map(([name, rules]) => [name, { ...memberSchema(name, rules), ...inner[name] }]);
  return {
    type: 'object',
    additionalProperties: false,
    required: [...members].filter(([, { isRequired }]) => isRequired).map(([name]) => name),
    properties: Object.fromEntries(properties) as Record<string, SchemaPart>,
    if: { properties: { event: { const: WITH_PAYMENT } } },
    then: { required: ['payment'], properties: { payment: wholePayment(payment) } },
    example: EXAMPLE,
  };
}

/** With all of its members, none of which is null. */
const wholePayment = (members: ReadonlyMap<string, MemberRules>): SchemaPart => ({
  type: 'object',
  required: [...members.keys()],
  properties: Object.fromEntries([...members].map(([name, { items }]) => [name, items])),
});

/** Null counts as left out where a member may be. */
function memberSchema(name: string, { own, isRequired }: MemberRules): SchemaPart {
  const description = DESCRIPTIONS[name];
  const type = isRequired ? own['type'] : [own['type'], 'null'];
  return { ...own, type, ...(description === undefined ? {} : { description }) };
}

/** Each occurrence of a member is judged; other members are carried along. */
const occurrences = (members: ReadonlyMap<string, MemberRules>): Record<string, SchemaPart> =>
  Object.fromEntries([...members].map(([name, { items }]) => [name, { ...items, type: [items['type'], 'null'] }]));

const EXAMPLE = {
  event: EVENT_NAMES[0],
  form_id: 'f_contact',
  submission_id: 's_1',
  fields: { email: 'ada@example.com' },
  idempotency_key: 's_1-created',
};

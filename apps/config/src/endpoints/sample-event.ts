import { buildTail, type EventName } from '@form-webhooks/domain';

const FIELDS = { name: 'Ada Lovelace', email: 'ada@example.com', message: 'This is a test. Ça marche? 👋' };
const PAYMENT = { status: 'succeeded', amount: 4_200, currency: 'eur' };
const META = { locale: 'en' };

/** A fixed sample of each event, so that a receiver's developer knows what to expect. No real respondent is in it. */
export function sampleTail(event: EventName, formId: string, submissionId: string): Buffer {
  return buildTail({
    formId,
    submissionId,
    fields: bytes(FIELDS),
    ...(event === 'payment.succeeded' ? { payment: bytes(PAYMENT) } : {}),
    meta: bytes(META),
  });
}

const bytes = (value: object): Buffer => Buffer.from(JSON.stringify(value), 'utf8');

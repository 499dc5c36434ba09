import { buildTail, type EventName } from '@form-webhooks/domain';
import { SAMPLE_FIELDS } from '@form-webhooks/http-api';

const PAYMENT = { status: 'succeeded', amount: 4_200, currency: 'eur' };
const META = { locale: 'en' };

/** What of a sample its sender can choose. */
export interface Sample {
  readonly event: EventName;
  readonly fields?: object | undefined;
}

/** A fixed sample of each event, so that a receiver's developer knows what to expect, with other fields if some are given. */
export function sampleTail({ event, fields = SAMPLE_FIELDS }: Sample, formId: string, submissionId: string): Buffer {
  return buildTail({
    formId,
    submissionId,
    fields: bytes(fields),
    ...(event === 'payment.succeeded' ? { payment: bytes(PAYMENT) } : {}),
    meta: bytes(META),
  });
}

const bytes = (value: object): Buffer => Buffer.from(JSON.stringify(value), 'utf8');

import type { EventName } from '@form-webhooks/domain';

/** The values that a careless service changes: numbers beyond 2^53, a fraction's zero, escapes, other scripts, emoji. */
export const FIELDS_TEXT =
  '{"name":"Zoë Müller","greeting":"Γειά σου · שלום · こんにちは · 🎉👩‍🚀","order_no":12345678901234567890,' +
  '"ratio":1.0,"mass":1e2,"escaped":"caf\\u00e9","agree":true,"note":null}';

const PAYMENT_TEXT = '{"status":"succeeded","amount":4200,"currency":"eur"}';
const META_TEXT = '{"ip":"203.0.113.7","user_agent":"demonstration","locale":"de"}';

/** The body of `POST /v1/events` as text, so that no JSON library on this side touches its values. */
export function eventText(event: EventName, formId: string, submissionId: string): string {
  const payment = event === 'payment.succeeded' ? `,"payment":${PAYMENT_TEXT}` : '';
  return (
    `{"event":"${event}","form_id":"${formId}","submission_id":"${submissionId}",` +
    `"fields":${FIELDS_TEXT}${payment},"meta":${META_TEXT}}`
  );
}

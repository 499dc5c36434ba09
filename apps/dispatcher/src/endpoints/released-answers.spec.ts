import { KeyRing } from '@form-webhooks/domain';
import type { FormEndpointsReply } from '@form-webhooks/messages';
import { Metrics } from '@form-webhooks/telemetry';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { VouchedAnswers } from './vouched-answers.js';

/*
 * Answers of config about a form as releases gave them, each under the first one that gave it so: dispatchers of a later
 * release must take them for as long as both run side by side. Never edited. What few endpoints have is vouched for, so
 * a dispatcher refuses an answer with something vouched for that it doesn't know: dispatchers are updated before it is
 * used (docs/how-to-change.md).
 */

const RING = new KeyRing('k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=');
const ENDPOINT =
  '"id":"we_1","url":"https://a.example/é","enabled":true,"events":["submission.created"],"version":3,' +
  '"secrets":[{"id":"sec_1","sealed":"k1.x","expires_at":null}]';
const answerWith = (endpoint: string, voucher: string): string =>
  '{"registered":true,"deleted":false,"workspace_id":"ws_1","endpoints":[{' +
  `${endpoint}}],"erased_submissions":["s_9"],"erasures_listed_since":1795810757000,"now":1795810757123,` +
  `"voucher":"${voucher}"}`;

const RELEASED = [
  ['that vouches for answers', answerWith(ENDPOINT, '1.k1.Hm__eb437J8WJpdYqxfJvmSmAh28fJF-0TMI9L4BnBI')],
  [
    'in which owners set more',
    answerWith(
      `${ENDPOINT},"headers":[{"name":"x-a","sealed":"k1.y"}],"retry_statuses":[404],"redirect_is_success":true,` +
        '"retry_schedule":[30000],"rate_limit":0.5',
      '1.k1.1CT7JFz8_ixr_kgIKk3K9kkwf9tUr7pWEcTdM8-lZ9E',
    ),
  ],
] as const;

const isTaken = (text: string): boolean =>
  new VouchedAnswers(RING, new Metrics('spec'), pino({ level: 'silent' })).accept(
    'f_1',
    JSON.parse(text) as FormEndpointsReply,
  );

it.each(RELEASED)('an answer of the release %s is taken, whatever else it carries', (_, text) => {
  expect(isTaken(text)).toBe(true);
  expect(isTaken(text.replace('{', '{"to_come":1,').replace('{"id":"we_1"', '{"to_come":[2],"id":"we_1"'))).toBe(true);
  expect(isTaken(text.replace('a.example', 'b.example'))).toBe(false);
});

import { expect, it } from 'vitest';
import { hintOf, isSignedWith, secretsIn, signingSecret } from './check-signature.js';

/** From docs/verifying.md. */
const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const SIGNATURE = 'aa06acd1a0c33f0a8eaf205f600cb4e6b10abe9a77b96419c8d44156d4f7b0dd';
const BODY =
  '{"event":"submission.created","delivery_id":"dlv_AbCdEfGhIjKlMnOpQrStUv","timestamp":1795810757,' +
  '"form_id":"f_contact","submission_id":"s_1","fields":{"name":"Zoë","order_no":12345678901234567890,"ratio":1.0},"meta":{}}';

it('tells a genuine signature from all others', async () => {
  expect(await isSignedWith(BODY, SIGNATURE, SECRET)).toBe(true);
  expect(await isSignedWith(BODY, ` ${SIGNATURE.toUpperCase()}\n`, SECRET)).toBe(true);
  expect(await isSignedWith(`${BODY} `, SIGNATURE, SECRET)).toBe(false);
  expect(await isSignedWith(BODY, SIGNATURE, `${SECRET}x`)).toBe(false);
  expect(await isSignedWith(BODY, 'no signature', SECRET)).toBe(false);
});

it('names the one of several secrets that a body was signed with', async () => {
  const secrets = secretsIn(` whsec_other=\n\n${SECRET}\r\n`);
  expect(secrets).toEqual(['whsec_other=', SECRET]);
  expect(hintOf((await signingSecret(BODY, SIGNATURE, secrets))!)).toBe('…ZWY=');
  expect(await signingSecret(BODY, SIGNATURE, ['whsec_other='])).toBeUndefined();
  expect(await signingSecret(BODY, SIGNATURE, [])).toBeUndefined();
});

import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header with the plain signature, as Node's `request.headers` spells it. */
export const SIGNATURE_HEADER = 'x-service-signature';

const HEX_SHA256 = /^[0-9a-f]{64}$/;

/**
 * Whether a request's body was signed with this endpoint's secret.
 *
 * Give it the bytes exactly as they arrived: a body that was parsed and written out again has other bytes, and its
 * signature no longer holds. The comparison takes the same time wherever two signatures differ, so that nobody can
 * guess one digit by digit.
 *
 * @param body the raw request body
 * @param header the value of `X-Service-Signature`: lower-case hex of HMAC-SHA256; a missing or repeated header is false
 * @param secret the endpoint's secret as it was shown, `whsec_` included; its UTF-8 text is the key
 */
export function verifySignature(
  body: Buffer | string,
  header: string | readonly string[] | undefined,
  secret: string,
): boolean {
  // Whoever forgot to configure a secret must not accept what anyone can sign with the empty one.
  if (!secret) throw new TypeError('the signing secret is empty: set the one that was shown for this endpoint');
  if (typeof header !== 'string' || !HEX_SHA256.test(header)) return false;
  const expected = createHmac('sha256', secret).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(header, 'hex'));
}

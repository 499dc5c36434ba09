import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const VERSION = '1';
const KEY_BYTES = 32;
/** Another purpose than sealing, so another key: one that is derived from it. */
const PURPOSE = 'form-webhooks: vouching for answers';

/** A key that vouches for texts, derived from one that seals. */
export const vouchingKey = (sealingKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', sealingKey, Buffer.alloc(0), PURPOSE, KEY_BYTES));

/** `1.<key id>.<HMAC-SHA256 of the text>`, base64url. */
export const voucherOf = (text: string, keyId: string, key: Buffer): string =>
  [VERSION, keyId, createHmac('sha256', key).update(text, 'utf8').digest('base64url')].join('.');

/** The key that a voucher says it was made with. */
export const keyIdOf = (voucher: string): string => voucher.split('.')[1] ?? '';

/** Compares in constant time. */
export function sameVoucher(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

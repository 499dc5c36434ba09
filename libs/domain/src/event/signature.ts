import { createHmac, randomBytes } from 'node:crypto';
import type { DeliveryId } from '../ids.js';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
export const SECRET_PATTERN = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** A fresh signing secret: `whsec_` and the base64 of 32 random bytes (Standard Webhooks' form). */
export const generateSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** What people are shown of a secret to tell two apart. */
export const secretHint = (secret: string): string => `${SECRET_PREFIX}…${secret.slice(-4)}`;

/** `X-Service-Signature`: lower-case hex HMAC-SHA256 of the raw body; the key is the secret as UTF-8 text. */
export function signBody(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/**
 * One `webhook-signature` entry (Standard Webhooks): `v1,<base64 HMAC-SHA256 of "id.timestamp.body">`; the key is the
 * secret's decoded bytes.
 */
export function signStandard(secret: string, id: DeliveryId, unixSeconds: number, body: Buffer): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${unixSeconds}.`).update(body).digest('base64');
  return `v1,${mac}`;
}

export interface SigningInput {
  /** The signing secret first, then those before it whose overlap goes on, the newest first. */
  readonly secrets: readonly string[];
  readonly deliveryId: DeliveryId;
  readonly unixSeconds: number;
  readonly body: Buffer;
  /** The name of the plain HMAC's header, such as `X-Service-Signature`. */
  readonly signatureHeader: string;
}

/** All headers that let a receiver verify one request. The plain header always uses the newest secret. */
export function signatureHeaders(input: SigningInput): Record<string, string> {
  const { secrets, deliveryId, unixSeconds, body } = input;
  const newest = secrets[0];
  if (newest === undefined) throw new RangeError('an endpoint has at least one signing secret');
  return {
    [input.signatureHeader]: signBody(newest, body),
    'webhook-id': deliveryId,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': secrets.map((secret) => signStandard(secret, deliveryId, unixSeconds, body)).join(' '),
  };
}

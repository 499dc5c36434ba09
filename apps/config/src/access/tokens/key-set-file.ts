import { readNamedFile } from '@form-webhooks/settings';
import type { JSONWebKeySet } from 'jose';

/** Far more than an identity provider has keys. */
const MAX_BYTES = 1_048_576;

/** The path of a file with public keys (JWKS). @throws Error as `readKeySet` */
export function asKeySetFile(file: string): string {
  readKeySet(file);
  return file;
}

/** The public keys (JWKS) in a file, up to 1 MiB. @throws Error that names the file, and never says what is in it */
export function readKeySet(file: string): JSONWebKeySet {
  const keys = parsed(readNamedFile(file, MAX_BYTES), file);
  if (!Array.isArray(keys?.keys)) throw new Error(`${file} is no key set: it has no "keys"`);
  const secret = keys.keys.find((key) => key.kty === 'oct' || key.d !== undefined);
  if (secret) throw new Error(`${file} holds a secret or private key; public ones belong there`);
  return keys;
}

function parsed(text: string, file: string): JSONWebKeySet | null {
  try {
    return JSON.parse(text) as JSONWebKeySet | null;
  } catch {
    // The parser's words repeat what it read, which may be a private key.
    throw new Error(`${file} is no key set: it is no JSON`);
  }
}

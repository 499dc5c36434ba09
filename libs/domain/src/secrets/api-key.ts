import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'fwk';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 16;
/** 43 characters out of 62 carry 256 bits. */
const SECRET_LENGTH = 43;
/** 32 bits of CRC fit into 6 characters out of 62. */
const CHECKSUM_LENGTH = 6;
const KEY_PATTERN = /^(fwk_([0-9A-Za-z]{16})_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** The id under which a key is stored, shown and announced: the public part of the key. */
export const API_KEY_ID_PATTERN = /^key_[0-9A-Za-z]{16}$/;

/** What both sides know of a key: its id, and the SHA-256 (lower-case hex) of its whole text. */
export interface ApiKeyReference {
  readonly id: string;
  readonly hash: string;
}

/** A key as it is shown once; only `id` and `hash` are kept. */
export interface GeneratedApiKey extends ApiKeyReference {
  readonly key: string;
}

/** A fresh key: `fwk_<public part of the id>_<256 random bits><checksum>`. */
export function generateApiKey(): GeneratedApiKey {
  const publicPart = randomText(ID_LENGTH);
  const body = `${PREFIX}_${publicPart}_${randomText(SECRET_LENGTH)}`;
  const key = body + checksumOf(body);
  return { id: `key_${publicPart}`, key, hash: hashApiKey(key) };
}

/**
 * What a text refers to if it reads like one of our keys. The checksum refuses a mistyped or cut key without asking
 * anyone; it proves nothing, since anybody can compute it: only the stored hash does.
 */
export function parseApiKey(text: string): ApiKeyReference | undefined {
  const [, body, publicPart, checksum] = KEY_PATTERN.exec(text) ?? [];
  if (body === undefined || checksumOf(body) !== checksum) return undefined;
  return { id: `key_${publicPart!}`, hash: hashApiKey(text) };
}

/** SHA-256 suffices where the input has 256 random bits; a slow hash would only slow us. */
export const hashApiKey = (key: string): string => hash('sha256', key, 'hex');

/** A CRC notices every change of a single character, which a cut of a longer hash does not promise. */
function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET[rest % ALPHABET.length]! + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

function randomText(length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += ALPHABET[randomInt(ALPHABET.length)]!;
  return text;
}

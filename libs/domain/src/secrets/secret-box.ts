import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { keyIdOf, sameVoucher, voucherOf, vouchingKey } from './vouching.js';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const VERSION = '1';
const KEY_ID_PATTERN = /^[A-Za-z0-9_-]{1,32}$/;

/** What a sealed signing secret is bound to: moved to another row, it does not open. */
export interface SecretContext {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly secretId: string;
}

/** The same for the value of a header that an endpoint's owner had added to its requests. */
export interface HeaderContext {
  readonly workspaceId: string;
  readonly endpointId: string;
  /** In lower case. */
  readonly headerName: string;
}

/** The same for an answer that is kept to be given again: it opens for that caller and key alone. */
export interface AnswerContext {
  readonly caller: string;
  readonly idempotencyKey: string;
}

export type SealContext = SecretContext | HeaderContext | AnswerContext;

/**
 * The keys that seal secrets at rest and on the broker. The first one seals; all of them open, so that a key can be
 * replaced without downtime. Both config and dispatcher hold it; it comes from `SECRET_KEYS`.
 */
export class KeyRing {
  private readonly keys = new Map<string, Buffer>();
  private readonly vouchingKeys = new Map<string, Buffer>();
  readonly activeKeyId: string;

  /**
   * @param text `id:base64` pairs separated by commas, 32 bytes each, the sealing key first
   * @throws RangeError that names the offending entry (never its value)
   */
  constructor(text: string) {
    for (const entry of text.split(',').map((part) => part.trim())) this.add(entry);
    this.activeKeyId = this.keys.keys().next().value!;
  }

  holds(keyId: string): boolean {
    return this.keys.has(keyId);
  }

  /** `1.<key id>.<iv>.<ciphertext and tag>`, base64url. */
  seal(plaintext: string, context: SealContext): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keys.get(this.activeKeyId)!, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(bindingOf(context));
    const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, this.activeKeyId, iv.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** @throws Error without any secret in it if the key is unknown, or the text was changed or moved */
  open(sealedText: string, context: SealContext): string {
    const [version, keyId = '', iv = '', sealed = '', ...rest] = sealedText.split('.');
    const key = this.keys.get(keyId);
    if (!key) {
      throw new Error(`${nameOf(context)} is sealed with key "${shown(keyId)}", which SECRET_KEYS does not hold`);
    }
    try {
      if (version !== VERSION || rest.length > 0) throw new RangeError('another format');
      return openWith(key, decode(iv), decode(sealed), context);
    } catch {
      const owner = 'endpointId' in context ? 'endpoint' : 'call';
      throw new Error(`${nameOf(context)} does not open: it was changed, or belongs to another ${owner}`);
    }
  }

  /** Proof that the text comes from someone who holds the ring. It hides nothing. */
  vouch(text: string): string {
    return voucherOf(text, this.activeKeyId, this.vouchingKeys.get(this.activeKeyId)!);
  }

  /** @throws Error that says why the voucher is none for this text; no part of either is in it */
  checkVoucher(text: string, voucher: unknown): void {
    if (typeof voucher !== 'string') throw new Error('nobody vouches for it');
    const keyId = keyIdOf(voucher);
    const key = this.vouchingKeys.get(keyId);
    if (!key) throw new Error(`it is vouched for with key "${shown(keyId)}", which SECRET_KEYS does not hold`);
    if (!sameVoucher(voucher, voucherOf(text, keyId, key))) throw new Error('it was changed, or is another answer');
  }

  private add(entry: string): void {
    const [id, encoded, ...rest] = entry.split(':');
    const key = Buffer.from(encoded ?? '', 'base64');
    if (!id || !KEY_ID_PATTERN.test(id) || key.length !== KEY_BYTES || rest.length > 0) {
      throw new RangeError(
        `key "${id?.slice(0, 32) ?? ''}": write <id>:<base64 of ${KEY_BYTES} bytes>, ids of 1 to 32 letters, digits, _ or -`,
      );
    }
    if (this.keys.has(id)) throw new RangeError(`key id "${id}" is given twice`);
    if ([...this.keys.values()].some((other) => other.equals(key))) {
      throw new RangeError(`key "${id}" repeats the bytes of another key`);
    }
    this.keys.set(id, key);
    this.vouchingKeys.set(id, vouchingKey(key));
  }
}

const bindingOf = (context: SealContext): Buffer => Buffer.from(bindingTextOf(context), 'utf8');

/** No part of it can hold the separator; only a header's or the caller's name could, and stands last. */
function bindingTextOf(context: SealContext): string {
  if ('secretId' in context) return `signing-secret|${context.workspaceId}|${context.endpointId}|${context.secretId}`;
  if ('headerName' in context) return `header|${context.workspaceId}|${context.endpointId}|${context.headerName}`;
  return `answer|${context.idempotencyKey}|${context.caller}`;
}

function nameOf(context: SealContext): string {
  if ('secretId' in context) return `secret ${context.secretId}`;
  return 'headerName' in context ? `header ${context.headerName} of ${context.endpointId}` : 'an answer';
}

function openWith(key: Buffer, iv: Buffer, sealed: Buffer, context: SealContext): string {
  const cipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(bindingOf(context));
  cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([cipher.update(sealed.subarray(0, -TAG_BYTES)), cipher.final()]).toString('utf8');
}

/** Node's decoder accepts malformed base64url. Only text is taken that the bytes would be written as again. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new RangeError('not base64url');
  return bytes;
}

const shown = (keyId: string): string => (KEY_ID_PATTERN.test(keyId) ? keyId : '?');

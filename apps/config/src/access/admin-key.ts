import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashApiKey } from '@form-webhooks/domain';
import { AccessSettings } from './access-settings.js';

/** The id under which the audit log names the key from the environment. */
export const ADMIN_KEY_ID = 'key_environment';

/** The first key, from the environment: a service key with every scope, on every workspace. */
@Injectable()
export class AdminKey {
  private readonly hash: string;

  constructor({ adminApiKey }: AccessSettings) {
    this.hash = hashApiKey(adminApiKey);
  }

  matches(hash: string): boolean {
    return sameHash(this.hash, hash);
  }
}

/** Compares hex hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

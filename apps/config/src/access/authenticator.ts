import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashApiKey, parseApiKey } from '@form-webhooks/domain';
import { SCOPES, type Scope } from '@form-webhooks/http-api';
import { DataSource, findApiKey } from '@form-webhooks/storage';
import { CallerIdentity } from './caller-identity.js';
import { KeyUse } from './key-use.js';
import { TokenVerifier } from './token-verifier.js';

/** The id under which the audit log names the key from the environment. */
export const ADMIN_KEY_ID = 'key_environment';

/** The hash of the key from the environment. */
export class AdminKey {
  private readonly hash: string;

  constructor(key: string) {
    this.hash = hashApiKey(key);
  }

  matches(hash: string): boolean {
    return sameHash(this.hash, hash);
  }
}

/** Turns a credential into who it belongs to. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly dataSource: DataSource,
    private readonly adminKey: AdminKey,
    private readonly keyUse: KeyUse,
    private readonly tokens: TokenVerifier,
  ) {}

  /** @returns undefined for anything but a valid credential, without a hint what is wrong with it */
  async identify(credential: string, ip: string): Promise<CallerIdentity | undefined> {
    if (this.adminKey.matches(hashApiKey(credential))) return this.identityOf(ADMIN_KEY_ID, ip, null, SCOPES);
    if (credential.includes('.')) return this.tokens.verify(credential, ip);
    const reference = parseApiKey(credential);
    if (!reference) return undefined;
    const key = await findApiKey(this.dataSource.manager, reference.id);
    if (!key || !sameHash(key.hash, reference.hash)) return undefined;
    if (key.expiresAt && key.expiresAt.getTime() <= Date.now()) return undefined;
    this.keyUse.note(key.id);
    return this.identityOf(key.id, ip, key.workspaceId, key.scopes as Scope[]);
  }

  private identityOf(keyId: string, ip: string, workspaceId: string | null, scopes: readonly Scope[]): CallerIdentity {
    return new CallerIdentity(`key:${keyId}`, keyId, ip, workspaceId, new Set(scopes));
  }
}

/** Compares hex hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

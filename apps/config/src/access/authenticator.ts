import { Injectable } from '@nestjs/common';
import { hashApiKey, parseApiKey } from '@form-webhooks/domain';
import { SCOPES, type Scope } from '@form-webhooks/http-api';
import { DataSource, findApiKey } from '@form-webhooks/storage';
import { ADMIN_KEY_ID, AdminKey, sameHash } from './admin-key.js';
import { CallerIdentity } from './caller-identity.js';
import { KeyUse } from './key-use.js';
import { TokenVerifier } from './tokens/token-verifier.js';

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
    const caller = this.identityOf(key.id, ip, key.workspaceId, key.scopes as Scope[]);
    caller.expiresAt = key.expiresAt;
    return caller;
  }

  private identityOf(keyId: string, ip: string, workspaceId: string | null, scopes: readonly Scope[]): CallerIdentity {
    return new CallerIdentity(`key:${keyId}`, keyId, ip, workspaceId, new Set(scopes));
  }
}

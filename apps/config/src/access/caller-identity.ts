import type { Scope } from '@form-webhooks/http-api';
import type { Actor } from '@form-webhooks/storage';
import type { Claim } from '../changes/changes.js';

/** Who calls, as the credential alone says. */
export class CallerIdentity implements Actor {
  /** Taken in the transaction of the call's change, if the caller gave a key. */
  claim: Claim | undefined;

  /** The host, perhaps with a port, by which the caller reached us. */
  calledAs: string | undefined;

  constructor(
    /** `key:key_…` or `user:<sub>`; what the audit log names. */
    readonly actor: string,
    readonly keyId: string | null,
    readonly ip: string | null,
    /** Null for a service key, which belongs to no workspace. */
    readonly workspaceId: string | null,
    readonly scopes: ReadonlySet<Scope>,
  ) {}

  get isService(): boolean {
    return this.workspaceId === null;
  }

  may(scope: Scope): boolean {
    return this.scopes.has(scope);
  }
}

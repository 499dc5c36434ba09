import type { IdentityKind, Scope } from '@form-webhooks/http-api';
import type { Actor, DashboardGrant } from '@form-webhooks/storage';
import type { Claim } from '../changes/changes.js';

/** Who calls, as the credential alone says. */
export class CallerIdentity implements Actor {
  /** Taken in the transaction of the call's change, if the caller gave a key. */
  claim: Claim | undefined;

  /** When the credential ends; null for one that does not. */
  expiresAt: Date | null = null;

  /** The host, perhaps with a port, by which the caller reached us. */
  calledAs: string | undefined;

  /** The dashboard's session that the caller came with; undefined beside a key or a token. */
  session: DashboardGrant | undefined;

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

  get kind(): IdentityKind {
    if (this.keyId === null) return 'user';
    return this.isService ? 'service_key' : 'workspace_key';
  }

  may(scope: Scope): boolean {
    return this.scopes.has(scope);
  }
}

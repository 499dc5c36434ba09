import { WORKSPACE_SCOPES, type FieldProblemDto, type Scope } from '@form-webhooks/http-api';
import type { ApiKeyKind } from '@form-webhooks/storage';
import type { CallerIdentity } from '../access/caller-identity.js';

/**
 * Nobody gives away more than they have, and a workspace's key never gets what only services may do. A session of the
 * dashboard gives no `keys:write`: with such a key it could open another session, and so last for ever.
 */
export function scopeProblems(caller: CallerIdentity, kind: ApiKeyKind, scopes: readonly Scope[]): FieldProblemDto[] {
  return scopes.flatMap((scope) => {
    const message = whyNot(caller, kind, scope);
    return message === undefined ? [] : [{ field: 'scopes', code: 'not_allowed', message }];
  });
}

function whyNot(caller: CallerIdentity, kind: ApiKeyKind, scope: Scope): string | undefined {
  if (!caller.may(scope)) return `You do not have the scope ${scope}.`;
  if (kind === 'workspace' && !WORKSPACE_SCOPES.includes(scope)) {
    return `A workspace key can not have the scope ${scope}.`;
  }
  if (caller.session && scope === 'keys:write')
    return `A session of the dashboard makes no key with the scope ${scope}.`;
  return undefined;
}

export const expiryProblems = (expiresAt: string | null | undefined): FieldProblemDto[] =>
  expiresAt && Date.parse(expiresAt) <= Date.now()
    ? [{ field: 'expires_at', code: 'past', message: 'expires_at must lie in the future.' }]
    : [];

/** A key that a key makes ends with it at the latest. One that a person makes is to outlive his session or token. */
export function expiryOf(by: CallerIdentity, wanted: string | null | undefined): Date | null {
  const ends = [wanted ? Date.parse(wanted) : Infinity, (by.keyId !== null && by.expiresAt?.getTime()) || Infinity];
  const first = Math.min(...ends);
  return first === Infinity ? null : new Date(first);
}

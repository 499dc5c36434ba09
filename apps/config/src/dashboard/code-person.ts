import {
  VIEWER_SCOPES,
  WORKSPACE_SCOPES,
  type CreateDashboardCodeDto,
  type DashboardRole,
  type FieldProblemDto,
  type Scope,
} from '@form-webhooks/http-api';
import { forbidden } from '@form-webhooks/http-edge';
import type { CallerIdentity } from '../access/caller-identity.js';
import { invalid } from '../http/problems.js';

const SCOPES_OF: Readonly<Record<DashboardRole, readonly Scope[]>> = { owner: WORKSPACE_SCOPES, viewer: VIEWER_SCOPES };

/**
 * Whom the code is for. A person opens the dashboard for himself. A key opens it for a person of its choice, which is as
 * much as making a key: it needs that scope, and gives away nothing that it doesn't have.
 * @throws Problem 403, 422
 */
export function personOf(
  by: CallerIdentity,
  { user, role }: CreateDashboardCodeDto,
): { actor: string; scopes: Iterable<Scope> } {
  if (by.keyId === null) {
    if (user !== undefined || role !== undefined) throw invalid(...namedByPerson(user, role));
    return { actor: by.actor, scopes: by.scopes };
  }
  if (!by.may('keys:write')) throw forbidden('This call needs the scope keys:write.');
  if (user === undefined || role === undefined) throw invalid(...unnamedByKey(user, role));
  const scopes = SCOPES_OF[role];
  const missing = scopes.filter((scope) => !by.may(scope));
  if (missing.length > 0) throw forbidden(`You do not have what the role ${role} has: ${missing.join(', ')}.`);
  return { actor: `user:${user}`, scopes };
}

const namedByPerson = (user: unknown, role: unknown): FieldProblemDto[] =>
  fieldsOf(user !== undefined, role !== undefined, 'not_allowed', 'Only a key names it.');

const unnamedByKey = (user: unknown, role: unknown): FieldProblemDto[] =>
  fieldsOf(user === undefined, role === undefined, 'required', 'A key says for whom the dashboard is.');

const fieldsOf = (user: boolean, role: boolean, code: string, message: string): FieldProblemDto[] =>
  [...(user ? ['user'] : []), ...(role ? ['role'] : [])].map((field) => ({ field, code, message }));

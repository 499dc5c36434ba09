import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashApiKey } from '@form-webhooks/domain';
import {
  VIEWER_SCOPES,
  WORKSPACE_SCOPES,
  type CreateDashboardCodeDto,
  type DashboardCodeDto,
  type DashboardRole,
  type DashboardSessionDto,
  type FieldProblemDto,
  type Scope,
} from '@form-webhooks/http-api';
import { forbidden, tooManyRequests, unauthorized } from '@form-webhooks/http-edge';
import {
  DataSource,
  endDashboardSession,
  endOldestSessions,
  findForm,
  insertDashboardGrant,
  takeDashboardCode,
  type DashboardGrant,
  type Form,
} from '@form-webhooks/storage';
import type { CallerIdentity } from '../access/caller-identity.js';
import { RequestBudget } from '../access/request-budget.js';
import { Changes } from '../changes/changes.js';
import { invalid, notFound } from '../http/problems.js';
import { DASHBOARD_PATH } from './dashboard-paths.js';
import { DashboardSettings } from './dashboard-settings.js';

const TOKEN_BYTES = 32;

const SCOPES_OF: Readonly<Record<DashboardRole, readonly Scope[]>> = { owner: WORKSPACE_SCOPES, viewer: VIEWER_SCOPES };

/** A session and the token that is its cookie. */
export interface BegunSession {
  readonly token: string;
  readonly session: DashboardSessionDto;
}

/** Hands the dashboard over: a code for one exchange, and the session that it is exchanged for. */
@Injectable()
export class DashboardSessions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: Changes,
    private readonly budget: RequestBudget,
    private readonly settings: DashboardSettings,
  ) {}

  /** @throws Problem 403, 404, 422 */
  async createCode(by: CallerIdentity, given: CreateDashboardCodeDto): Promise<DashboardCodeDto> {
    const { actor, scopes } = personOf(by, given);
    const form = await findForm(this.dataSource.manager, given.form_id, by.workspaceId ?? undefined);
    if (!form) throw notFound('form');
    const code = newToken();
    const at = new Date();
    const grant: DashboardGrant = {
      hash: hashApiKey(code),
      kind: 'code',
      workspaceId: form.workspaceId,
      actor,
      scopes: [...scopes],
      formId: form.id,
      hostUrl: given.host_url ?? null,
      createdAt: at,
      expiresAt: new Date(at.getTime() + this.settings.codeMs),
    };
    await this.keep(by, form, grant);
    return { code, path: `${DASHBOARD_PATH}#code=${code}`, expires_at: grant.expiresAt.toISOString() };
  }

  /** Each code that was never ours takes one of the address's guesses. @throws Problem 401, 429 */
  async begin(code: string, ip: string): Promise<BegunSession> {
    const waitSeconds = await this.budget.takeGuess(ip);
    if (waitSeconds > 0) throw tooManyRequests(waitSeconds * 1_000, 'Too many wrong codes came from this address.');
    const token = newToken();
    const session = await this.dataSource.transaction(async (tx) => {
      const at = new Date();
      const taken = await takeDashboardCode(tx, hashApiKey(code), at);
      if (!taken) return undefined;
      const expiresAt = new Date(at.getTime() + this.settings.sessionMs);
      const begun: DashboardGrant = { ...taken, hash: hashApiKey(token), kind: 'session', createdAt: at, expiresAt };
      await insertDashboardGrant(tx, begun);
      await endOldestSessions(tx, begun.workspaceId, begun.actor);
      return begun;
    });
    if (!session)
      throw unauthorized('The code was used before, or is too old. Open the dashboard from your product again.');
    this.budget.giveBackGuess(ip);
    return { token, session: showSession(session) };
  }

  async end({ hash }: DashboardGrant): Promise<void> {
    await endDashboardSession(this.dataSource.manager, hash);
  }

  private async keep(by: CallerIdentity, form: Form, grant: DashboardGrant): Promise<void> {
    await this.changes.commit(by, async (change) => {
      await insertDashboardGrant(change.tx, grant);
      change.audit({
        workspaceId: form.workspaceId,
        formId: form.id,
        action: 'dashboard.opened',
        target: { type: 'user', id: grant.actor },
        changes: [{ field: 'scopes', old: null, new: grant.scopes }],
      });
    });
  }
}

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/**
 * Whom the code is for. A person opens the dashboard for himself. A key opens it for a person of its choice, which is as
 * much as making a key: it needs that scope, and gives away nothing that it doesn't have.
 * @throws Problem 403, 422
 */
function personOf(
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

/** A session as its page is told of it. */
export const showSession = (session: DashboardGrant): DashboardSessionDto => ({
  actor: session.actor,
  workspace_id: session.workspaceId,
  scopes: session.scopes as Scope[],
  form_id: session.formId,
  host_url: session.hostUrl,
  expires_at: session.expiresAt.toISOString(),
});

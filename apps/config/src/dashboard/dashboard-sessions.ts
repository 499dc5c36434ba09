import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashApiKey } from '@form-webhooks/domain';
import type { CreateDashboardCodeDto, DashboardCodeDto, DashboardSessionDto, Scope } from '@form-webhooks/http-api';
import { tooManyRequests, unauthorized } from '@form-webhooks/http-edge';
import {
  databaseNow,
  DataSource,
  endDashboardSession,
  endOldestSessions,
  findDashboardCode,
  findForm,
  holdApiKey,
  insertDashboardGrant,
  takeDashboardCode,
  type DashboardGrant,
  type Form,
  type Transaction,
} from '@form-webhooks/storage';
import { ADMIN_KEY_ID } from '../access/admin-key.js';
import type { CallerIdentity } from '../access/caller-identity.js';
import { RequestBudget } from '../access/request-budget.js';
import { Changes } from '../changes/changes.js';
import { formNotFound } from '../http/problems.js';
import { nameOfSession } from '../live/credentials.js';
import { NoticeSender } from '../live/notice-sender.js';
import { personOf } from './code-person.js';
import { DASHBOARD_PATH } from './dashboard-paths.js';
import { DashboardSettings } from './dashboard-settings.js';

const TOKEN_BYTES = 32;

/** A session and the token that is its cookie. */
export interface BegunSession {
  readonly token: string;
  readonly session: DashboardSessionDto;
  /** Whole seconds from its beginning to its end: both are moments of the database's clock and not of ours. */
  readonly lastsSeconds: number;
}

/** Hands the dashboard over: a code for one exchange, and the session that it is exchanged for. */
@Injectable()
export class DashboardSessions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: Changes,
    private readonly budget: RequestBudget,
    private readonly settings: DashboardSettings,
    private readonly notices: NoticeSender,
  ) {}

  /** @throws Problem 403, 404, 422 */
  async createCode(by: CallerIdentity, given: CreateDashboardCodeDto): Promise<DashboardCodeDto> {
    const { actor, scopes } = personOf(by, given);
    const form = await findForm(this.dataSource.manager, given.form_id, by.workspaceId ?? undefined);
    if (!form) throw formNotFound();
    const code = newToken();
    const expiresAt = await this.keep(by, form, {
      hash: hashApiKey(code),
      kind: 'code',
      workspaceId: form.workspaceId,
      actor,
      scopes: [...scopes],
      formId: form.id,
      hostUrl: given.host_url ?? null,
      keyId: by.keyId,
    });
    return { code, path: `${DASHBOARD_PATH}#code=${code}`, expires_at: expiresAt.toISOString() };
  }

  /** Each code that was never ours takes one of the address's guesses. @throws Problem 401, 429 */
  async begin(code: string, ip: string): Promise<BegunSession> {
    const waitSeconds = await this.budget.takeGuess(ip);
    if (waitSeconds > 0)
      throw tooManyRequests(
        waitSeconds * 1_000,
        'Too many wrong codes came from this address.',
        'too_many_per_address',
      );
    const token = newToken();
    const session = await this.dataSource.transaction((tx) => this.exchange(tx, hashApiKey(code), hashApiKey(token)));
    if (!session)
      throw unauthorized('The code was used before, or is too old. Open the dashboard from your product again.');
    this.budget.giveBackGuess(ip);
    const lastsSeconds = Math.floor((session.expiresAt.getTime() - session.createdAt.getTime()) / 1_000);
    return { token, session: showSession(session), lastsSeconds };
  }

  async end({ hash }: DashboardGrant): Promise<void> {
    await endDashboardSession(this.dataSource.manager, hash);
    await this.notices.tellEnd(nameOfSession(hash));
  }

  private async exchange(tx: Transaction, code: string, hash: string): Promise<DashboardGrant | undefined> {
    // By the one clock of all replicas: another one may have made the code.
    const at = await databaseNow(tx);
    const found = await findDashboardCode(tx, code);
    // Before the code, as who revokes the key does: neither waits for the other in a circle.
    const keyEndsAt = found ? await endOfKey(tx, found.keyId) : 0;
    const taken = await takeDashboardCode(tx, code, at);
    if (!taken || keyEndsAt <= at.getTime()) return undefined;
    const expiresAt = new Date(Math.min(at.getTime() + this.settings.sessionMs, keyEndsAt));
    const begun: DashboardGrant = { ...taken, hash, kind: 'session', createdAt: at, expiresAt };
    await insertDashboardGrant(tx, begun);
    await endOldestSessions(tx, begun.workspaceId, begun.actor);
    return begun;
  }

  /** @returns when the code ends */
  private keep(by: CallerIdentity, form: Form, grant: Omit<DashboardGrant, 'createdAt' | 'expiresAt'>): Promise<Date> {
    return this.changes.commit(by, async (change) => {
      if ((await endOfKey(change.tx, grant.keyId)) === 0) throw unauthorized('The key was revoked.');
      const expiresAt = new Date(change.at.getTime() + this.settings.codeMs);
      await insertDashboardGrant(change.tx, { ...grant, createdAt: change.at, expiresAt });
      change.audit({
        workspaceId: form.workspaceId,
        formId: form.id,
        action: 'dashboard.opened',
        target: { type: 'user', id: grant.actor },
        changes: [{ field: 'scopes', old: null, new: grant.scopes }],
      });
      return expiresAt;
    });
  }
}

/** When the key ends that opens the dashboard, 0 if it was revoked. Nobody revokes it until the transaction has ended. */
async function endOfKey(tx: Transaction, keyId: string | null): Promise<number> {
  // A token's person, or the key of the environment, which stands in no table.
  if (keyId === null || keyId === ADMIN_KEY_ID) return Infinity;
  const key = await holdApiKey(tx, keyId);
  return key ? (key.expiresAt?.getTime() ?? Infinity) : 0;
}

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** A session as its page is told of it. */
export const showSession = (session: DashboardGrant): DashboardSessionDto => ({
  actor: session.actor,
  workspace_id: session.workspaceId,
  scopes: session.scopes as Scope[],
  form_id: session.formId,
  host_url: session.hostUrl,
  expires_at: session.expiresAt.toISOString(),
});

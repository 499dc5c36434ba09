import { Injectable } from '@nestjs/common';
import { hashApiKey } from '@form-webhooks/domain';
import type { Scope } from '@form-webhooks/http-api';
import { DataSource, findDashboardSession } from '@form-webhooks/storage';
import { CallerIdentity } from '../caller-identity.js';

/** Turns the token of a dashboard's session into who it belongs to. */
@Injectable()
export class DashboardCallers {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns undefined for a session that has ended or never was */
  async identify(token: string, ip: string): Promise<CallerIdentity | undefined> {
    const session = await findDashboardSession(this.dataSource.manager, hashApiKey(token));
    if (!session) return undefined;
    const scopes = new Set(session.scopes as Scope[]);
    const caller = new CallerIdentity(session.actor, null, ip, session.workspaceId, scopes);
    caller.expiresAt = session.expiresAt;
    caller.session = session;
    return caller;
  }
}

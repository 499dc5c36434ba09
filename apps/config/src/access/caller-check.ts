import { Injectable } from '@nestjs/common';
import { hashApiKey } from '@form-webhooks/domain';
import { bearerCredential, tooManyRequests, unauthorized } from '@form-webhooks/http-edge';
import type { AccessRequest } from './access-request.js';
import { AdminKey } from './admin-key.js';
import { Authenticator } from './authenticator.js';
import type { CallerIdentity } from './caller-identity.js';
import { KnownCredentials } from './known-credentials.js';
import { RequestBudget } from './request-budget.js';
import { DashboardCallers } from './sessions/dashboard-callers.js';
import { refuseForeignPages } from './sessions/own-page.js';
import { sessionToken } from './sessions/session-cookie.js';

/** Room for a JWT; one space before it, as this API has always wanted it. */
const BEARER = { maxLength: 4_096, maxSpaces: 1 };

const BUDGET_WORDS = {
  credential: 'Too many requests were made with this credential.',
  workspace: 'Too many requests were made in this workspace, by all its keys and people together.',
} as const;

/** A credential, and how to find out whose it is. */
interface Presented {
  readonly credential: string;
  readonly identify: () => Promise<CallerIdentity | undefined>;
}

/** Finds out who calls, before a byte of the body is read: what nobody answers for is not worth parsing. */
@Injectable()
export class CallerCheck {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly adminKey: AdminKey,
    private readonly known: KnownCredentials,
    private readonly budget: RequestBudget,
    private readonly dashboard: DashboardCallers,
  ) {}

  /** @throws Problem 401, 403, 429 */
  async identify(request: AccessRequest): Promise<CallerIdentity> {
    const caller = await this.callerOf(this.presentedBy(request), request.ip);
    if (!caller) throw unauthorized('The credential is not valid.');
    const wait = await this.budget.takeRequest(caller);
    if (wait.seconds > 0) throw tooManyRequests(wait.seconds * 1_000, BUDGET_WORDS[wait.of], `too_many_per_${wait.of}`);
    return caller;
  }

  /** The cookie counts for nothing beside an `Authorization`. */
  private presentedBy(request: AccessRequest): Presented {
    const { headers, ip } = request;
    if (headers.authorization !== undefined) {
      const credential = bearerCredential(headers.authorization, BEARER) ?? '';
      return { credential, identify: () => this.authenticator.identify(credential, ip) };
    }
    const token = sessionToken(headers.cookie, request.protocol === 'https');
    if (token === undefined) throw unauthorized('Send an API key or a token as "Authorization: Bearer …".');
    refuseForeignPages(request);
    return { credential: token, identify: () => this.dashboard.identify(token, ip) };
  }

  private async callerOf(presented: Presented, ip: string): Promise<CallerIdentity | undefined> {
    const hash = hashApiKey(presented.credential);
    if (this.adminKey.matches(hash)) return presented.identify();
    if (this.known.wasAccepted(hash)) {
      const caller = await presented.identify();
      if (caller) return caller;
      this.known.noteRefused(hash);
    }
    await this.takeGuess(ip);
    return this.known.wasRefused(hash) ? undefined : this.judge(presented, hash, ip);
  }

  /** A guess was taken for it. */
  private async judge({ identify }: Presented, hash: string, ip: string): Promise<CallerIdentity | undefined> {
    let wrong = false;
    try {
      const caller = await identify();
      wrong = caller === undefined;
      if (wrong) this.known.noteRefused(hash);
      else this.known.noteAccepted(hash);
      return caller;
    } finally {
      // Nor is it a wrong one if it could not be judged.
      if (!wrong) this.budget.giveBackGuess(ip);
    }
  }

  private async takeGuess(ip: string): Promise<void> {
    const waitSeconds = await this.budget.takeGuess(ip);
    if (waitSeconds === 0) return;
    throw tooManyRequests(
      waitSeconds * 1_000,
      'Too many wrong credentials came from this address.',
      'too_many_per_address',
    );
  }
}

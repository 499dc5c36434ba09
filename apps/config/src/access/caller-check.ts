import { Injectable } from '@nestjs/common';
import { bearerCredential, tooManyRequests, unauthorized } from '@form-webhooks/http-edge';
import type { AccessRequest } from './access-request.js';
import { Authenticator } from './authenticator.js';
import type { CallerIdentity } from './caller-identity.js';
import { RequestBudget } from './request-budget.js';

/** Room for a JWT; one space before it, as this API has always wanted it. */
const BEARER = { maxLength: 4_096, maxSpaces: 1 };

/** Finds out who calls, before a byte of the body is read: what nobody answers for is not worth parsing. */
@Injectable()
export class CallerCheck {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly budget: RequestBudget,
  ) {}

  /** @throws Problem 401, 429 */
  async identify({ headers: { authorization }, ip }: AccessRequest): Promise<CallerIdentity> {
    if (authorization === undefined) throw unauthorized('Send an API key or a token as "Authorization: Bearer …".');
    const credential = bearerCredential(authorization, BEARER);
    const caller = credential === undefined ? undefined : await this.authenticator.identify(credential, ip);
    if (!caller) {
      const waitSeconds = await this.budget.takeFailure(ip);
      if (waitSeconds > 0) {
        throw tooManyRequests(waitSeconds * 1_000, 'Too many wrong credentials came from this address.');
      }
      throw unauthorized('The credential is not valid.');
    }
    const waitSeconds = await this.budget.takeRequest(caller);
    if (waitSeconds > 0) {
      throw tooManyRequests(waitSeconds * 1_000, 'Too many requests were made with this credential.');
    }
    return caller;
  }
}

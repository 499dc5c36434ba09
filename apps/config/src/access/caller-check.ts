import { Injectable } from '@nestjs/common';
import { tooManyRequests, unauthorized } from '../http/problem.js';
import type { AccessRequest } from './access-request.js';
import { Authenticator } from './authenticator.js';
import type { CallerIdentity } from './caller-identity.js';
import { RequestBudget } from './request-budget.js';

const BEARER = /^Bearer ([\x21-\x7e]{1,4096})$/i;

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
    const [, credential] = BEARER.exec(authorization) ?? [];
    const caller = credential === undefined ? undefined : await this.authenticator.identify(credential, ip);
    if (!caller) {
      const wait = await this.budget.takeFailure(ip);
      if (wait > 0) throw tooManyRequests(wait, 'Too many wrong credentials came from this address.');
      throw unauthorized('The credential is not valid.');
    }
    const wait = await this.budget.takeRequest(caller);
    if (wait > 0) throw tooManyRequests(wait, 'Too many requests were made with this credential.');
    return caller;
  }
}

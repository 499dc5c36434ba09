import { Injectable } from '@nestjs/common';
import { conflict } from '@form-webhooks/http-edge';
import { countEndpoints, type Actor, type Form, type Transaction } from '@form-webhooks/storage';
import { UrlCheck } from '../url-check/url-check.js';
import { EndpointSettings } from './endpoint-settings.js';

/** Who changes an endpoint, and by which name of ours they reached us. */
export type Editor = Actor & { readonly calledAs?: string | undefined };

/** What must hold for a form to get an endpoint, and for an endpoint to get a URL. */
@Injectable()
export class EndpointRules {
  constructor(
    private readonly urlCheck: UrlCheck,
    private readonly settings: EndpointSettings,
  ) {}

  /**
   * Asks a dispatcher about the URL, with a request that carries no header of the owner: a URL that nobody has checked
   * yet must not get one. It can take many seconds. @returns the URL in canonical form. @throws Problem 422, 429, 503
   */
  checkUrl(by: Editor, { workspaceId }: Form, url: string): Promise<string> {
    return this.urlCheck.check(url, { workspaceId, calledAs: by.calledAs });
  }

  /** @throws Problem 409. Lock the form first, where it counts. */
  async refuseOneTooMany(tx: Transaction, form: Form): Promise<void> {
    const { maxPerForm } = this.settings;
    if ((await countEndpoints(tx, form)) < maxPerForm) return;
    throw conflict(`A form has at most ${maxPerForm} endpoints; delete one first.`, 'limit_reached');
  }
}

import { Injectable } from '@nestjs/common';
import { readOwnSchedule } from '@form-webhooks/domain';
import { conflict, Problem } from '@form-webhooks/http-edge';
import { DeliverySettings } from '@form-webhooks/settings';
import { countEndpoints, urlsOf, type Actor, type Form, type Transaction } from '@form-webhooks/storage';
import { invalid } from '../http/problems.js';
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
    private readonly delivery: DeliverySettings,
  ) {}

  /**
   * Asks a dispatcher about the URL, with a request that carries no header of the owner: a URL that nobody has checked
   * yet must not get one. It can take many seconds. @returns the URL in canonical form. @throws Problem 422, 429, 503
   */
  checkUrl(by: Editor, { workspaceId }: Form, url: string, redirectIsSuccess: boolean): Promise<string> {
    return this.urlCheck.check(url, { workspaceId, calledAs: by.calledAs, redirectIsSuccess });
  }

  /**
   * The delays of an endpoint's own schedule, ms; null or undefined as they are given.
   * @throws Problem 422 that says what is wrong, and what would be right
   */
  readSchedule(delays: readonly string[] | null | undefined): number[] | null | undefined {
    if (!delays) return delays;
    const read = readOwnSchedule(delays, {
      maxDelays: this.settings.maxRetries,
      maxDelayMs: this.settings.maxRetryDelayMs,
      deliveryMaxAgeMs: this.delivery.maxAgeMs,
      schedule: this.delivery.retrySchedule,
    });
    if ('schedule' in read) return [...read.schedule];
    throw invalid({ field: 'retry_schedule', ...read });
  }

  /** @throws Problem 409. Lock the form first, where it counts. */
  async refuseOneTooMany(tx: Transaction, form: Form): Promise<void> {
    const { maxPerForm } = this.settings;
    if ((await countEndpoints(tx, form)) < maxPerForm) return;
    throw conflict(`A form has at most ${maxPerForm} endpoints; delete one first.`, 'limit_reached');
  }

  /**
   * @param url in canonical form, of an endpoint that is not among the form's others. Lock the form first: of two at
   *   once the second finds the first
   * @throws Problem 409 that names the endpoint which has the URL, the oldest of several
   */
  async refuseUrlInUse(tx: Transaction, form: Form, url: string): Promise<void> {
    const asked = requestedBy(url);
    const first = (await urlsOf(tx, form)).find((endpoint) => requestedBy(endpoint.url) === asked);
    if (!first) return;
    throw new Problem(409, IN_USE, { code: 'url_in_use', endpointId: first.id });
  }
}

const IN_USE =
  'The form has an endpoint with this URL: each event would be sent there twice. Change that one, or ask for a second one with allow_duplicate_url.';

/**
 * What of a canonical URL tells two requests apart: an empty query is not sent, and of an escape both cases mean the
 * same (RFC 3986, 6.2.2.1).
 */
function requestedBy(text: string): string {
  const url = new URL(text);
  // Takes a lone question mark away.
  if (url.search === '') url.search = '';
  return url.href.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

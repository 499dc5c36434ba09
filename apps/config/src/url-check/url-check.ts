import { Injectable } from '@nestjs/common';
import { Broker, QUEUES, RpcFailed, RpcUnavailable } from '@form-webhooks/broker';
import { tooManyRequests, unavailable, type Problem } from '@form-webhooks/http-edge';
import type { CheckUrlReply } from '@form-webhooks/messages';
import { invalid } from '../http/problems.js';
import { WorkspaceTurns } from '../in-flight/workspace-turns.js';
import { RateLimiter } from '../rate-limits/rate-limiter.js';
import { UrlCheckSettings } from './url-check-settings.js';

/** The codes that a caller sees; finer ones are an attempt's business. */
const SHOWN: ReadonlyMap<string, string> = new Map([
  ['reset', 'connect'],
  ['protocol', 'connect'],
  ['header_overflow', 'connect'],
  ['interim_flood', 'connect'],
  ['unexpected_upgrade', 'connect'],
  ['aborted', 'connect'],
  ['tls_expired', 'tls'],
  ['tls_name_mismatch', 'tls'],
  ['tls_untrusted', 'tls'],
  ['tls_protocol', 'tls'],
]);
const RETRY_AFTER_MS = 5_000;
/** Which of them an endpoint may have is the dispatcher's rule (`EGRESS_ALLOW`). */
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whose URL is checked, and by which name of ours the caller reached us. */
export interface UrlCheckFor {
  readonly workspaceId: string;
  readonly calledAs: string | undefined;
  /** A redirect is what its owner expects of it: it shows that the URL responds. It is not followed. */
  readonly redirectIsSuccess?: boolean;
}

/**
 * Asks a dispatcher whether a URL may be used and responds: this service has no way out of its own. Each workspace has
 * its own turns and its own budget, so that one with URLs that never answer keeps no other waiting.
 */
@Injectable()
export class UrlCheck {
  private readonly turns: WorkspaceTurns;

  constructor(
    private readonly broker: Broker,
    private readonly limiter: RateLimiter,
    private readonly settings: UrlCheckSettings,
  ) {
    this.turns = new WorkspaceTurns(settings.atATime, tooManyAtATime);
  }

  /**
   * @returns the URL in canonical form
   * @throws Problem 422 with the code and plain words, 429, 503 if no dispatcher answers
   */
  async check(url: string, { workspaceId, calledAs, redirectIsSuccess }: UrlCheckFor): Promise<string> {
    if (isOwnHost(url, calledAs)) throw invalid(OWN_HOST);
    const reply = await this.turns.run(workspaceId, async () => {
      await this.takeOne(workspaceId);
      return this.ask(url);
    });
    if (reply.ok || (reply.code === 'redirect' && redirectIsSuccess === true)) return canonical(url);
    throw invalid({ field: 'url', code: SHOWN.get(reply.code) ?? reply.code, message: reply.message });
  }

  private async takeOne(workspaceId: string): Promise<void> {
    const { perMinute } = this.settings;
    const waitSeconds = await this.limiter.take(`urls:${workspaceId}`, { capacity: perMinute, periodSeconds: 60 });
    if (waitSeconds === 0) return;
    throw tooManyRequests(
      waitSeconds * 1_000,
      `A workspace may have ${perMinute} URLs checked in a minute.`,
      'too_many_per_workspace',
    );
  }

  private async ask(url: string): Promise<CheckUrlReply> {
    try {
      return await this.broker.rpc.call(QUEUES.dispatcherRpc, 'check_url', { url }, this.settings.timeoutMs);
    } catch (error) {
      if (!(error instanceof RpcUnavailable || error instanceof RpcFailed)) throw error;
      throw unavailable(RETRY_AFTER_MS, 'The URL can not be checked now: no dispatcher answers. Try again.');
    }
  }
}

const tooManyAtATime = (): Problem =>
  tooManyRequests(
    RETRY_AFTER_MS,
    'Too many URLs of this workspace are being checked; try again in a moment.',
    'too_many_at_a_time',
  );

const OWN_HOST = {
  field: 'url',
  code: 'address_not_allowed',
  message: 'This is the host of this service itself; a receiver must be somewhere else.',
};

/** A delivery to ourselves would reach what only our own network should, or go round in circles. */
function isOwnHost(text: string, calledAs: string | undefined): boolean {
  if (calledAs === undefined || !URL.canParse(text)) return false;
  const own = `https://${calledAs}`;
  if (!URL.canParse(own)) return false;
  const host = hostOf(new URL(text));
  return host === hostOf(new URL(own)) && !LOOPBACK.includes(host);
}

/** As the URL parser writes it, without the dot that a name may end with. */
const hostOf = ({ hostname }: URL): string => (hostname.endsWith('.') ? hostname.slice(0, -1) : hostname);

/** What is stored is what is dialled. */
function canonical(text: string): string {
  const url = new URL(text);
  url.hostname = hostOf(url);
  return url.href;
}

import { Injectable } from '@nestjs/common';
import { Broker, QUEUES, RpcFailed, RpcUnavailable } from '@form-webhooks/broker';
import { unavailable } from '@form-webhooks/http-edge';
import type { CheckUrlReply } from '@form-webhooks/messages';
import { invalid } from '../http/problems.js';
import { EndpointSettings } from './endpoint-settings.js';

type Refusal = Extract<CheckUrlReply, { ok: false }>;

/** The codes that a caller sees; finer ones are an attempt's business. */
const SHOWN: Readonly<Partial<Record<Refusal['code'], string>>> = {
  reset: 'connect',
  protocol: 'connect',
  header_overflow: 'connect',
  interim_flood: 'connect',
  unexpected_upgrade: 'connect',
  aborted: 'connect',
  tls_expired: 'tls',
  tls_name_mismatch: 'tls',
  tls_untrusted: 'tls',
  tls_protocol: 'tls',
};
const RETRY_AFTER_MS = 5_000;

/** Asks a dispatcher whether a URL may be used and responds: this service has no way out of its own. */
@Injectable()
export class UrlCheck {
  constructor(
    private readonly broker: Broker,
    private readonly settings: EndpointSettings,
  ) {}

  /**
   * @returns the URL in canonical form
   * @throws Problem 422 with the code and plain words, 503 if no dispatcher answers
   */
  async check(url: string): Promise<string> {
    const reply = await this.ask(url);
    if (reply.ok) return canonical(url);
    const code = SHOWN[reply.code] ?? reply.code;
    throw invalid({ field: 'url', code, message: reply.message });
  }

  private async ask(url: string): Promise<CheckUrlReply> {
    try {
      return await this.broker.rpc.call(QUEUES.dispatcherRpc, 'check_url', { url }, this.settings.urlCheckTimeoutMs);
    } catch (error) {
      if (!(error instanceof RpcUnavailable || error instanceof RpcFailed)) throw error;
      throw unavailable(RETRY_AFTER_MS, 'The URL can not be checked now: no dispatcher answers. Try again.');
    }
  }
}

/** As the URL parser writes it, without the dot that a name may end with: what is stored is what is dialled. */
function canonical(text: string): string {
  const url = new URL(text);
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return url.href;
}

import type { ClientRequest } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import got, { type Got } from 'got';
import type { GuardedAgent } from './guarded-agent.js';
import { MAX_HEADER_BYTES } from './response/received-head.js';

/**
 * Asks for what the URL says, byte for byte: Node would leave out a `?` with nothing behind it, and the log would show
 * another URL than the one that was sent. There is no plain HTTP: whatever would still ask for it gets an error.
 */
function requestAsWritten(url: URL, options: RequestOptions): ClientRequest {
  if (url.protocol !== 'https:') throw new Error('webhooks are sent over HTTPS only');
  const query = url.search === '' && url.href.endsWith('?') ? '?' : url.search;
  return request(url, { ...options, path: `${url.pathname}${query}` });
}

/**
 * The got instance through which everything is sent: one request, one answer. It retries nothing, follows nothing,
 * throws for no status, inflates nothing and keeps no cookies; the guarded agent opens the sockets. `http2` must stay
 * off: it would bypass the agent. So must Node's lenient parser: it takes what others read as two answers. got's own
 * time-outs are not used because they don't bound an attempt (they miss the agent's queue and a 101); `Exchange` has
 * its own deadline.
 */
export function createReceiverClient(agent: GuardedAgent, userAgent: string): Got {
  return got.extend({
    agent: { https: agent },
    request: requestAsWritten,
    headers: { 'user-agent': userAgent, 'accept-encoding': 'identity' },
    isStream: true,
    http2: false,
    enableUnixSockets: false,
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    retry: { limit: 0 },
    cache: false,
    copyPipedHeaders: false,
    strictContentLength: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    https: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
  });
}

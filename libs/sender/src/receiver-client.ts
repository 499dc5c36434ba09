import { Agent as HttpAgent } from 'node:http';
import got, { type Got } from 'got';
import type { GuardedAgent } from './guarded-agent.js';
import { MAX_HEADER_BYTES } from './response/received-head.js';

/** There is no plain HTTP: whatever would still ask for it gets an error instead of a socket. */
class RefusingAgent extends HttpAgent {
  override createConnection(): never {
    throw new Error('webhooks are sent over HTTPS only');
  }
}

/**
 * The got instance through which everything is sent: one request, one answer. It retries nothing, follows nothing,
 * throws for no status, inflates nothing and keeps no cookies; the guarded agent opens the sockets. `http2` must stay
 * off: it would bypass the agent. Node's lenient parser must stay off: it takes what others read as two answers. got's own time-outs are not used because they don't bound an attempt (they miss the
 * agent's queue and a 101); `Exchange` has its own deadline.
 */
export function createReceiverClient(agent: GuardedAgent, userAgent: string): Got {
  return got.extend({
    agent: { https: agent, http: new RefusingAgent() },
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

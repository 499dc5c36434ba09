import { lookup } from 'node:dns';
import { get as getPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { get as getSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from '@form-webhooks/domain';

/** What one fetch may take. */
export interface FetchLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * The body of a 200 from a configured address. Names are resolved once and only permitted addresses are dialled, no
 * redirect is followed, no proxy used, and everything together ends in time. `http://` only where the configuration
 * named this machine itself. Errors name neither the address nor what stands in it, such as a password.
 */
export async function guardedFetch(url: URL, policy: AddressPolicy, limits: FetchLimits): Promise<Buffer> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const response = await open(url, policy, signal);
  try {
    if (response.statusCode !== 200) throw new Error(`the server answered ${response.statusCode}`);
    return await readAtMost(response, limits.maxBytes);
  } catch (error) {
    throw signal.aborted ? new Error(`not answered within ${limits.timeoutMs} ms`) : error;
  } finally {
    response.destroy();
  }
}

/** This machine, where the one who configured it named it: no address policy is about that. */
export const isLoopbackUrl = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';

function open(url: URL, policy: AddressPolicy, signal: AbortSignal): Promise<IncomingMessage> {
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  const isOwn = isLoopbackUrl(url);
  if (isIP(literal) !== 0 && !isOwn && !policy.permits(literal)) return Promise.reject(new NotAllowed());
  if (url.protocol !== 'https:' && !isOwn) return Promise.reject(new Error('the address is not https'));
  const options: RequestOptions = { signal, agent: false, headers: { accept: 'application/json' } };
  if (!isOwn) options.lookup = lookupPermitted(policy);
  return new Promise((resolve, reject) => {
    const get = url.protocol === 'https:' ? getSecure : getPlain;
    get(url, options, resolve).once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(reasonOf(error, signal))),
    );
  });
}

const lookupPermitted =
  (policy: AddressPolicy): LookupFunction =>
  (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const permitted = found.filter(({ address }) => policy.permits(address));
      if (permitted.length === 0) return callback(new NotAllowed(), '');
      return options.all ? callback(null, permitted) : callback(null, permitted[0]!.address, permitted[0]!.family);
    });

class NotAllowed extends Error {
  override readonly name = 'NotAllowed';

  constructor() {
    super('the address is private; JWT_JWKS_ALLOW names ranges that may be');
  }
}

/** Node's own texts name host and address. */
function reasonOf(error: NodeJS.ErrnoException, signal: AbortSignal): string {
  if (signal.aborted) return 'not answered in time';
  return error instanceof NotAllowed ? error.message : `no connection (${error.code ?? error.name})`;
}

async function readAtMost(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

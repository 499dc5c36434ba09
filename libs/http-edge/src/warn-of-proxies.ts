import type { FastifyInstance } from 'fastify';

/** The headers by which proxies say for whom they call. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded'] as const;

export interface ProxyLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/**
 * Says at the start whose `X-Forwarded-For` is believed, and once while it runs that a proxy stands in front of which
 * nobody told: all callers behind it then count as one address, and share its limits.
 */
export function warnOfProxies(fastify: FastifyInstance, trustedProxies: readonly string[], log: ProxyLog): void {
  if (trustedProxies.length > 0) {
    return log.info({ trusted_proxies: trustedProxies }, 'X-Forwarded-For is believed from these addresses only');
  }
  log.info({ trusted_proxies: [] }, 'no proxy is trusted: callers are told apart by the address that connects');
  let warned = false;
  fastify.addHook('onRequest', (request, _reply, done) => {
    const header = warned ? undefined : PROXY_HEADERS.find((name) => request.headers[name] !== undefined);
    if (header !== undefined) {
      warned = true;
      log.warn({ header, proxy: request.ip }, WARNING);
    }
    done();
  });
}

const WARNING =
  'a request came through a proxy, but TRUSTED_PROXIES names none: all its callers count as one address, and one of ' +
  'them who guesses keys slows the others down. Set TRUSTED_PROXIES if the proxy is yours';

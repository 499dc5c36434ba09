import { forbidden } from '@form-webhooks/http-edge';
import type { IncomingHttpHeaders } from 'node:http';

/** A page of another origin can't send it without being asked about by the browser first, and we say no. */
const PAGE_HEADER = 'x-dashboard';

/** What tells whose page a request comes from. */
export interface PageRequest {
  readonly method: string;
  /** As the browser named it: the header `Host`, or a believed proxy's. */
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * A cookie goes along whoever's page asks, so a call with one must show that the page is ours: by what browsers say of
 * a request's origin, and, where it changes something, by a header that only our own page sends.
 * @throws Problem 403
 */
export function refuseForeignPages({ method, host, headers }: PageRequest): void {
  const reads = method === 'GET' || method === 'HEAD';
  const site = headers['sec-fetch-site'];
  const isOwnSite = site === undefined || site === 'same-origin' || (reads && site === 'none');
  const isOwnOrigin = headers.origin === undefined || hostOf(headers.origin) === host;
  const isMarked = reads || headers[PAGE_HEADER] === '1';
  if (isOwnSite && isOwnOrigin && isMarked) return;
  throw forbidden('A session of the dashboard is for its own pages; other callers send a key or a token.');
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);

import { isIP } from 'node:net';

/** Where the requests for one URL go; everything about them that is the same each time. */
export interface RequestTarget {
  /** The value of the Host header. */
  readonly authority: string;
  /** Host and port: connections to the same can be used for each other's requests, nothing else about them can differ. */
  readonly origin: string;
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Whether DNS is asked for the host. */
  readonly isName: boolean;
  /** What is asked for: path and query. */
  readonly path: string;
}

/**
 * What a request for this URL needs. It asks for what the URL says, byte for byte: a `?` with nothing behind it stays,
 * or the log would show another URL than the one that was sent.
 * @param href a URL that `checkEndpointUrl` has passed, in its canonical form
 * @throws Error if it is not an HTTPS URL: there is no plain HTTP
 */
export function requestTarget(href: string): RequestTarget {
  const url = new URL(href);
  if (url.protocol !== 'https:') throw new Error('webhooks are sent over HTTPS only');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || 443);
  return {
    authority: url.host,
    origin: `${host}:${port}`,
    host,
    port,
    isName: isIP(host) === 0,
    path: href.slice(url.origin.length),
  };
}

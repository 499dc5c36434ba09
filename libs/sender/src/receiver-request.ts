import type { ClientRequest } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { GuardedAgent } from './guarded-agent.js';
import { MAX_HEADER_BYTES } from './response/received-head.js';

/** The order of the headers on the wire has been this one from the start; what lies between is as it was given. */
const FIRST = ['user-agent', 'accept-encoding'] as const;
const PLACED: ReadonlySet<string> = new Set([...FIRST, 'host']);

/** Where the requests for one URL go; everything about them that is the same each time. */
export interface RequestTarget {
  /** The value of the Host header. */
  readonly authority: string;
  /** Whether DNS is asked for the host. */
  readonly isName: boolean;
  /** For Node, and for nobody to change. */
  readonly options: Readonly<RequestOptions>;
}

/**
 * What a request for this URL needs. It asks for what the URL says, byte for byte: Node would leave out a `?` with
 * nothing behind it, and the log would show another URL than the one that was sent. Node's lenient parser is off,
 * whatever the command line says: it takes what others read as two answers.
 * @param href a URL that `checkEndpointUrl` has passed, in its canonical form
 * @throws Error if it is not an HTTPS URL: there is no plain HTTP
 */
export function requestTarget(href: string): RequestTarget {
  const url = new URL(href);
  if (url.protocol !== 'https:') throw new Error('webhooks are sent over HTTPS only');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isName = isIP(host) === 0;
  const options: RequestOptions = {
    host,
    port: Number(url.port || 443),
    path: href.slice(url.origin.length),
    servername: isName ? host : '',
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  };
  return { authority: url.host, isName, options: Object.freeze(options) };
}

/** By lower-case name, `host` among them. */
export type RequestHeaders = Readonly<Record<string, string>>;

/**
 * Begins a request; whoever calls it listens to its events, sends the body and bounds its time, because Node does
 * nothing of that by itself. It retries nothing, follows nothing, throws for no status, inflates nothing and keeps no
 * cookies. Node writes the headers as they are given here and adds `Connection`.
 * @throws TypeError if a header can't be written
 */
export function beginRequest(
  agent: GuardedAgent,
  target: RequestTarget,
  method: 'POST' | 'HEAD',
  headers: RequestHeaders,
): ClientRequest {
  return request({ ...target.options, agent, method, headers: inOrder(headers) });
}

/** Names and values in turn: Node checks those once, where it would check those of an object twice. */
function inOrder(headers: RequestHeaders): string[] {
  const list: string[] = [];
  for (const name of FIRST) list.push(name, headers[name]!);
  for (const [name, value] of Object.entries(headers)) if (!PLACED.has(name)) list.push(name, value);
  list.push('Host', headers['host']!);
  return list;
}

import type { RequestTarget } from './request-target.js';
import { TOKEN } from './token.js';

/** By lower-case name, `host` among them. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** The order of the headers on the wire has been this one from the start; what lies between is as it was given. */
const FIRST = ['user-agent', 'accept-encoding'] as const;
const PLACED: ReadonlySet<string> = new Set([...FIRST, 'host']);

const NAME = new RegExp(`^${TOKEN}$`);
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A header's name or value has a character that would end it, or that has no byte. Says nothing of the value. */
export class UnwritableHeader extends Error {
  constructor(name: string) {
    super(`the header ${JSON.stringify(name)} can't be written`);
  }
}

/**
 * Request line and headers, for latin1. Every header is one line: nothing that is in it can begin another one, or the
 * body.
 * @throws UnwritableHeader if a header can't be written
 */
export function requestHead(
  method: 'POST' | 'HEAD',
  { path, authority }: RequestTarget,
  headers: RequestHeaders,
): string {
  let head = `${method} ${path} HTTP/1.1\r\n`;
  for (const name of FIRST) head += line(name, headers[name]!);
  for (const name of Object.keys(headers)) if (!PLACED.has(name)) head += line(name, headers[name]!);
  return `${head}Host: ${authority}\r\nConnection: keep-alive\r\n\r\n`;
}

function line(name: string, value: string): string {
  if (!NAME.test(name) || !VALUE.test(value)) throw new UnwritableHeader(name);
  return `${name}: ${value}\r\n`;
}

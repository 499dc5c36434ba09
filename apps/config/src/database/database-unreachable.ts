import { judgeDatabaseFailure } from '../failures/connection-failures.js';

const USUAL_PORT = '5432';

/** A start that could not connect, in words for who reads the log of a container: which server, and which setting. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';

  /** @param url of the database; its password is not told */
  constructor(url: string, cause: unknown) {
    const { what, repair } = judgeDatabaseFailure(cause);
    super(`${what} (DATABASE_URL: ${addressIn(url)}); ${repair}`, { cause });
  }
}

/** Where a URL's server is and its database, without user and parameters. */
function addressIn(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? hostname;
  return `${host}:${searchParams.get('port') ?? (port || USUAL_PORT)}${pathname}`;
}

import { SCHEMA_VERSION, unknownVersion } from './schema-version.js';
import { UnreadableMessage } from './unreadable-message.js';

/** As `rfc3339` writes it; `Date.parse` alone takes much else for a time. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

export type Headers = Readonly<Record<string, unknown>>;

/**
 * On an event or a delivery that was, or whose event was, in the hands of somebody who may have acted on it and lost it,
 * although the broker hands the message over for the first time. Then what the log knows tells how far it came, and not
 * that anybody still has it.
 */
export const CAME_BEFORE = 'came_before';

/** On an event that waits for its form: how often it did so before. Ingest sends it without. */
export const FORM_WAITS = 'waits';

/** Reads typed values out of a message's headers. @throws UnreadableMessage that names the header */
export class HeaderReader {
  constructor(private readonly headers: Headers) {
    const version = headers['schema_version'];
    if (version !== SCHEMA_VERSION) throw unknownVersion(version);
  }

  matching<T extends string>(name: string, pattern: RegExp): T {
    const value = this.headers[name];
    if (typeof value !== 'string' || !pattern.test(value))
      throw this.unreadable(name, `does not match ${pattern.source}`);
    return value as T;
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T {
    const value = this.headers[name];
    if (!values.includes(value as T)) throw this.unreadable(name, `is none of ${values.join(', ')}`);
    return value as T;
  }

  /** A whole number from 0 to 2^31. */
  count(name: string): number {
    const value = this.headers[name];
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 0x7fff_ffff) {
      throw this.unreadable(name, 'is not a whole number');
    }
    return value as number;
  }

  /** Milliseconds since the epoch of an RFC 3339 moment. */
  moment(name: string): number {
    const value = this.headers[name];
    const at = typeof value === 'string' && RFC_3339.test(value) ? Date.parse(value) : NaN;
    if (Number.isNaN(at)) throw this.unreadable(name, 'is not an RFC 3339 time');
    return at;
  }

  private unreadable(name: string, what: string): UnreadableMessage {
    return new UnreadableMessage(`header ${name} ${what}`);
  }
}

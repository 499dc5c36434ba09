import { removeUnprintable } from '@form-webhooks/domain';

/** How much of a response's body is read before the connection is cut. */
export const MAX_BODY_BYTES = 65_536;
/** How much of it is kept. */
const MAX_EXCERPT_BYTES = 2_048;
const MAX_HEADER_LENGTH = 512;
const MAX_LOCATION_LENGTH = 2_048;
const KEPT_HEADERS = ['content-type', 'date', 'server', 'retry-after', 'x-request-id'] as const;

/** A receiver's answer as the delivery log keeps it. */
export interface SentResponse {
  readonly status: number;
  /** A few harmless headers by lower-case name; `location` on a redirect. Never cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The first 2 KiB of the body, decoded as UTF-8 and free of control characters but tab and line feed: NUL can't be
   * stored in PostgreSQL, escapes could steer a terminal. Not safe as HTML.
   */
  readonly excerpt: string;
  /** The bytes that it was decoded from, in base64; absent where the excerpt is exactly what came. */
  readonly bytes?: string;
  /** Whether the body is longer than the excerpt, or was cut off. */
  readonly truncated: boolean;
}

/** What a character that is cut off leaves at most. */
const MAX_CUT_BYTES = 3;

const UTF_8 = new TextDecoder('utf-8');

/** A character cut in half at the end is left out instead of becoming a replacement character: the decoder waits. */
const beginningOf = (bytes: Buffer): string => new TextDecoder('utf-8').decode(bytes, { stream: true });

/** Gathers the beginning of a body. */
export class BodyExcerpt {
  private readonly kept: Buffer[] = [];
  private bytes = 0;

  add(bytes: Buffer): void {
    const room = MAX_EXCERPT_BYTES - this.bytes;
    if (room > 0) this.kept.push(bytes.length > room ? bytes.subarray(0, room) : bytes);
    this.bytes += bytes.length;
  }

  get truncated(): boolean {
    return this.bytes > MAX_EXCERPT_BYTES;
  }

  read(): Pick<SentResponse, 'excerpt' | 'bytes'> {
    if (this.bytes === 0) return { excerpt: '' };
    const bytes = this.kept.length === 1 ? this.kept[0]! : Buffer.concat(this.kept);
    const decoded = this.truncated ? beginningOf(bytes) : UTF_8.decode(bytes);
    const excerpt = removeUnprintable(decoded);
    const isExact = excerpt === decoded && saysExactly(excerpt, bytes, this.truncated ? MAX_CUT_BYTES : 0);
    return isExact ? { excerpt } : { excerpt, bytes: bytes.toString('base64') };
  }
}

/** Decoding also drops a byte order mark, and what is not UTF-8 becomes a replacement character. */
function saysExactly(text: string, bytes: Buffer, cutAtMost: number): boolean {
  const said = Buffer.from(text);
  return bytes.length - said.length <= cutAtMost && bytes.subarray(0, said.length).equals(said);
}

/** @param headers by lower-case name */
export function keptHeaders(status: number, headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = headers[name];
    if (value !== undefined) kept[name] = clean(value, MAX_HEADER_LENGTH);
  }
  const location = headers['location'];
  if (status >= 300 && status <= 399 && location !== undefined) {
    kept['location'] = clean(location, MAX_LOCATION_LENGTH);
  }
  return kept;
}

const clean = (value: string, maxLength: number): string => removeUnprintable(value).slice(0, maxLength);

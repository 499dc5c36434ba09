import { TOKEN } from '../token.js';
import { readHeaderLine, type SoundHead } from './received-head.js';

/** Takes what belongs to the body, in the order in which it comes. */
export type TakeBytes = (bytes: Buffer) => void;

/** Where a body ends (RFC 9112, 6.3). */
export interface BodyFraming {
  /**
   * Reads on.
   * @returns how many of the bytes belong to the body and its framing; -1 if the framing is malformed
   */
  read(bytes: Buffer, take: TakeBytes): number;
  readonly isComplete: boolean;
  /** Whether the end of the connection is that of the body too. */
  readonly endsWithConnection: boolean;
}

/**
 * How the body of an answer is framed.
 * @param toHead whether the request was a HEAD, whose answer has no body whatever it says
 * @returns undefined if that is anybody's guess: what follows could be taken for the next answer
 */
export function framingOf({ status, fields }: SoundHead, toHead: boolean): BodyFraming | undefined {
  const lengths = valuesOf(fields, 'content-length');
  const codings = valuesOf(fields, 'transfer-encoding');
  if (lengths.length + (codings.length > 0 ? 1 : 0) > 1) return undefined;
  if (lengths.length > 0 && !/^\d{1,15}$/.test(lengths[0]!)) return undefined;
  if (toHead || status === 204 || status === 304) return new FixedLength(0);
  if (codings.length > 0) return isChunked(codings) ? new Chunked() : new UntilEnd();
  return lengths.length > 0 ? new FixedLength(Number(lengths[0])) : new UntilEnd();
}

const isChunked = (codings: readonly string[]): boolean =>
  codings.join(',').split(',').at(-1)!.trim().toLowerCase() === 'chunked';

/** All values that a head has under a lower-case name. */
export const valuesOf = (fields: SoundHead['fields'], wanted: string): string[] =>
  fields.filter(([name]) => name === wanted).map(([, value]) => value);

class FixedLength implements BodyFraming {
  readonly endsWithConnection = false;

  constructor(private left: number) {}

  get isComplete(): boolean {
    return this.left === 0;
  }

  read(bytes: Buffer, take: TakeBytes): number {
    const own = Math.min(bytes.length, this.left);
    this.left -= own;
    if (own > 0) take(own === bytes.length ? bytes : bytes.subarray(0, own));
    return own;
  }
}

class UntilEnd implements BodyFraming {
  readonly endsWithConnection = true;
  readonly isComplete = false;

  read(bytes: Buffer, take: TakeBytes): number {
    take(bytes);
    return bytes.length;
  }
}

/** A size in hexadecimal digits, and perhaps extensions, which mean nothing here. */
const CHUNK_SIZE = new RegExp(
  `^([\\dA-Fa-f]{1,8})(?:;${TOKEN}(?:=(?:${TOKEN}|"[\\t\\x20!\\x23-\\x5b\\x5d-\\x7e]*"))?)*$`,
);

/** What says where a body ends has no place behind it (RFC 9110, 6.5.1). */
function isTrailer(line: string): boolean {
  const [name] = readHeaderLine(line) ?? [];
  return name !== undefined && name !== 'content-length' && name !== 'transfer-encoding';
}

/** The chunked coding (RFC 9112, 7.1). Lines are kept until they are complete: whoever reads bounds the whole. */
class Chunked implements BodyFraming {
  readonly endsWithConnection = false;
  private expects: 'size' | 'data' | 'end of data' | 'trailer' | 'nothing' = 'size';
  private line = '';
  private left = 0;

  get isComplete(): boolean {
    return this.expects === 'nothing';
  }

  read(bytes: Buffer, take: TakeBytes): number {
    let at = 0;
    while (at < bytes.length && !this.isComplete) {
      const used = this.expects === 'data' ? this.readData(bytes, at, take) : this.readLine(bytes, at);
      if (used < 0) return -1;
      at += used;
    }
    return at;
  }

  private readData(bytes: Buffer, at: number, take: TakeBytes): number {
    const own = Math.min(bytes.length - at, this.left);
    take(bytes.subarray(at, at + own));
    this.left -= own;
    if (this.left === 0) this.expects = 'end of data';
    return own;
  }

  private readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(0x0a, at);
    this.line += bytes.toString('latin1', at, end < 0 ? bytes.length : end);
    if (end < 0) return bytes.length - at;
    const { line } = this;
    this.line = '';
    return line.endsWith('\r') && this.follow(line.slice(0, -1)) ? end + 1 - at : -1;
  }

  /** @returns whether the line may stand where it does */
  private follow(line: string): boolean {
    if (this.expects === 'size') return this.beginChunk(line);
    if (this.expects === 'end of data') {
      this.expects = 'size';
      return line === '';
    }
    if (line === '') this.expects = 'nothing';
    return line === '' || isTrailer(line);
  }

  private beginChunk(line: string): boolean {
    const [, size] = CHUNK_SIZE.exec(line) ?? [];
    if (size === undefined) return false;
    this.left = Number.parseInt(size, 16);
    this.expects = this.left === 0 ? 'trailer' : 'data';
    return true;
  }
}

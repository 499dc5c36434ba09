import { isUtf8 } from 'node:buffer';

/** Nesting beyond this breaks serialisers downstream: `JSON.stringify` throws from a depth of some thousands. */
export const JSON_MAX_DEPTH = 64;
/** Members of all objects in one document. */
export const JSON_MAX_MEMBERS = 10_000;

export type RawKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** A JSON value as its sender wrote it: the exact bytes, without the white space around them. */
export interface RawValue {
  readonly kind: RawKind;
  readonly bytes: Buffer;
}

/** A member of an object. The name is decoded (`"\u0066ields"` is `fields`); names can repeat, as in the text. */
export interface RawMember {
  readonly name: string;
  readonly value: RawValue;
}

export type InvalidJsonCode = 'bad_encoding' | 'bad_json' | 'too_deep' | 'too_many_members' | 'not_an_object';

/** Bytes that are no JSON object within the limits. The sentence gives a position and never quotes the content. */
export class InvalidJson extends Error {
  override readonly name = 'InvalidJson';

  constructor(
    readonly code: InvalidJsonCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The members of a JSON object, cut out of its bytes. One strict pass (RFC 8259) decides both what is valid and where
 * a value begins and ends, so no second parser can disagree with it; nothing is ever built from the content.
 * @throws InvalidJson
 */
export function readRawMembers(bytes: Buffer): readonly RawMember[] {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new InvalidJson('bad_encoding', 'the text starts with a byte order mark; send UTF-8 without one');
  }
  if (!isUtf8(bytes)) throw new InvalidJson('bad_encoding', 'the bytes are not valid UTF-8');
  return new Scanner(bytes).readDocument();
}

/** The text of a JSON string value, with its escapes decoded. */
export function decodeRawString(bytes: Buffer): string {
  if (!bytes.includes(BACKSLASH)) return bytes.toString('utf8', 1, bytes.length - 1);
  return JSON.parse(bytes.toString('utf8')) as string;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LETTER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const LITERALS: ReadonlyMap<number, { readonly text: Buffer; readonly kind: RawKind }> = new Map(
  [
    { text: Buffer.from('true'), kind: 'boolean' as const },
    { text: Buffer.from('false'), kind: 'boolean' as const },
    { text: Buffer.from('null'), kind: 'null' as const },
  ].map((literal) => [literal.text[0]!, literal]),
);
const SHORT_ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;
const isHexDigit = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);

/** Walks over one document. It recurses, which is safe because the depth is limited. */
class Scanner {
  private at = 0;
  private depth = 0;
  private members = 0;

  constructor(private readonly bytes: Buffer) {}

  readDocument(): readonly RawMember[] {
    const found: RawMember[] = [];
    this.skipSpace();
    const isObject = this.peek() === OPEN_BRACE;
    if (isObject) this.object((name, value) => found.push({ name: decodeRawString(name), value }));
    else this.value();
    this.skipSpace();
    if (this.at < this.bytes.length) throw this.unexpected();
    if (!isObject) throw new InvalidJson('not_an_object', 'the text is JSON, but not an object');
    return found;
  }

  private value(): RawKind {
    const byte = this.peek();
    if (byte === QUOTE) {
      this.string();
      return 'string';
    }
    if (byte === OPEN_BRACE) {
      this.object();
      return 'object';
    }
    if (byte === OPEN_BRACKET) {
      this.array();
      return 'array';
    }
    if (byte === MINUS || isDigit(byte)) {
      this.number();
      return 'number';
    }
    return this.literal(byte);
  }

  private object(onMember?: (name: Buffer, value: RawValue) => void): void {
    this.enter();
    this.skipSpace();
    if (this.peek() === CLOSE_BRACE) return this.leave();
    for (;;) {
      if (++this.members > JSON_MAX_MEMBERS) {
        throw new InvalidJson('too_many_members', `the text has more than ${JSON_MAX_MEMBERS} members`);
      }
      const nameStart = this.at;
      this.string();
      const nameEnd = this.at;
      this.skipSpace();
      this.expect(COLON);
      this.skipSpace();
      const start = this.at;
      const kind = this.value();
      onMember?.(this.bytes.subarray(nameStart, nameEnd), { kind, bytes: this.bytes.subarray(start, this.at) });
      this.skipSpace();
      if (this.peek() === CLOSE_BRACE) return this.leave();
      this.expect(COMMA);
      this.skipSpace();
    }
  }

  private array(): void {
    this.enter();
    this.skipSpace();
    if (this.peek() === CLOSE_BRACKET) return this.leave();
    for (;;) {
      this.value();
      this.skipSpace();
      if (this.peek() === CLOSE_BRACKET) return this.leave();
      this.expect(COMMA);
      this.skipSpace();
    }
  }

  private enter(): void {
    if (++this.depth > JSON_MAX_DEPTH) {
      throw new InvalidJson('too_deep', `the text nests deeper than ${JSON_MAX_DEPTH} levels at byte ${this.at}`);
    }
    this.at++;
  }

  private leave(): void {
    this.depth--;
    this.at++;
  }

  private string(): void {
    this.expect(QUOTE);
    const { bytes } = this;
    for (let at = this.at; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        this.at = at + 1;
        return;
      }
      if (byte === BACKSLASH) at += this.escapeLength(at + 1);
      else if (byte < SPACE) throw this.unexpected(at);
    }
    throw this.unexpected(bytes.length);
  }

  private escapeLength(at: number): number {
    const byte = this.bytes[at] ?? -1;
    if (SHORT_ESCAPES.has(byte)) return 1;
    if (byte !== LETTER_U) throw this.unexpected(at);
    for (let i = 1; i <= 4; i++) if (!isHexDigit(this.bytes[at + i] ?? -1)) throw this.unexpected(at + i);
    return 5;
  }

  private number(): void {
    if (this.peek() === MINUS) this.at++;
    if (this.peek() === ZERO) this.at++;
    else this.digits();
    if (this.peek() === POINT) {
      this.at++;
      this.digits();
    }
    if ((this.peek() | 0x20) !== 0x65) return;
    this.at++;
    if (this.peek() === PLUS || this.peek() === MINUS) this.at++;
    this.digits();
  }

  private digits(): void {
    if (!isDigit(this.peek())) throw this.unexpected();
    while (isDigit(this.peek())) this.at++;
  }

  private literal(first: number): RawKind {
    const literal = LITERALS.get(first);
    if (!literal) throw this.unexpected();
    for (const byte of literal.text) this.expect(byte);
    return literal.kind;
  }

  private skipSpace(): void {
    for (;;) {
      const byte = this.peek();
      if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) return;
      this.at++;
    }
  }

  private expect(byte: number): void {
    if (this.peek() !== byte) throw this.unexpected();
    this.at++;
  }

  /** The byte at hand, or -1 at the end. */
  private peek(): number {
    return this.at < this.bytes.length ? this.bytes[this.at]! : -1;
  }

  private unexpected(at = this.at): InvalidJson {
    if (at >= this.bytes.length) return new InvalidJson('bad_json', `the text is not JSON: it ends too early`);
    return new InvalidJson('bad_json', `the text is not JSON: unexpected character at byte ${at}`);
  }
}

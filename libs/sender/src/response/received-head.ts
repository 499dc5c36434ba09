import { TOKEN } from '../token.js';

/** How large the head of an answer may be, and how much of its beginning is kept until it is complete, bytes. */
export const MAX_HEADER_BYTES = 65_536;

const STATUS_LINE = /^HTTP\/1\.([01]) (\d\d\d)(?: [^\r]*)?$/;
/** Its value without outer blanks. A tab there is none of them: there are readers that take it for a part of the value. */
const HEADER_LINE = new RegExp(
  `^(${TOKEN}): *([\\x21-\\x7e\\x80-\\xff](?:[\\t\\x20-\\x7e\\x80-\\xff]*[\\x21-\\x7e\\x80-\\xff])?)? *$`,
);
/** A header as its line says it, the name in lower case; undefined if the line has a fault. */
export function readHeaderLine(line: string): readonly [name: string, value: string] | undefined {
  const [, name, value = ''] = HEADER_LINE.exec(line) ?? [];
  return name === undefined ? undefined : [name.toLowerCase(), value];
}

/** What each answer begins with. */
const BEGINNING = 'HTTP/1.';

/** Whether an answer, or an empty line before it, can begin like this. */
const canBegin = (text: string): boolean => BEGINNING.startsWith(text) || text === '\r';

const LENIENT_STATUS_LINE = /^HTTP\/1\.\d ([1-5]\d\d)(?: [^\r]*)?$/;
/** A blank before the colon is dropped, as a proxy has to drop it (RFC 9112, 5.1). */
const LENIENT_HEADER_LINE = new RegExp(`^(${TOKEN})[ \\t]*:([\\t\\x20-\\x7e\\x80-\\xff]*)$`);

export interface ReadHead {
  /** A final one, 200 to 599. */
  readonly status: number;
  /** By lower-case name, the first of several. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A head that is complete and without any fault. */
export interface SoundHead {
  /** As it was written, three digits. */
  readonly status: number;
  /** Of HTTP/1. */
  readonly minorVersion: 0 | 1;
  /** Names in lower case, values without outer blanks, in their order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** `broken` if it can't become a sound head any more, `overflow` if it is too large for one. */
export type HeadState = 'incomplete' | 'sound' | 'broken' | 'overflow';

/**
 * The head of an answer, as it comes over the wire: status line and headers. It is read strictly, line by line (RFC 9112,
 * 4 and 5): a fault shows with its line, and no later. What has come is kept until then, for a receiver that has said its
 * status must not be sent the same again because of its mistakes behind it.
 */
export class ReceivedHead {
  private text = '';
  /** Where the line begins that is not complete. */
  private lineAt = 0;
  private state: HeadState = 'incomplete';
  private status = 0;
  private minorVersion: 0 | 1 = 1;
  private readonly fields: (readonly [name: string, value: string])[] = [];

  /** @returns how many of the bytes belong to this head */
  add(bytes: Buffer): number {
    if (this.state !== 'incomplete') return 0;
    const before = this.text.length;
    this.text += bytes.toString('latin1', 0, Math.min(bytes.length, MAX_HEADER_BYTES - before));
    this.state = this.readLines(before);
    return this.state === 'sound' ? this.lineAt - before : this.text.length - before;
  }

  get progress(): HeadState {
    return this.state;
  }

  /** Only once it is `sound`. */
  get sound(): SoundHead {
    const { status, minorVersion, fields } = this;
    return { status, minorVersion, fields };
  }

  /** The final status and the readable headers of what has come; undefined without a whole, well-formed status line. */
  readLeniently(): ReadHead | undefined {
    return readLeniently(this.text);
  }

  private readLines(from: number): HeadState {
    const { text } = this;
    for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', this.lineAt)) {
      if (end === this.lineAt || text[end - 1] !== '\r') return 'broken';
      const line = text.slice(this.lineAt, end - 1);
      this.lineAt = end + 1;
      if (line === '' && this.status > 0) return 'sound';
      if (!this.readLine(line)) return 'broken';
    }
    if (this.status === 0 && !canBegin(text.slice(this.lineAt, this.lineAt + BEGINNING.length))) return 'broken';
    return text.length >= MAX_HEADER_BYTES ? 'overflow' : 'incomplete';
  }

  private readLine(line: string): boolean {
    if (this.status > 0) return this.readHeader(line);
    // A sender may be generous with an empty line before an answer (RFC 9112, 2.2, has it for requests).
    if (line === '') return true;
    const [, minor, status] = STATUS_LINE.exec(line) ?? [];
    // A status of 000 is as good as none.
    if (status === undefined || Number(status) === 0) return false;
    this.minorVersion = minor === '0' ? 0 : 1;
    this.status = Number(status);
    return true;
  }

  private readHeader(line: string): boolean {
    const field = readHeaderLine(line);
    if (field) this.fields.push(field);
    return field !== undefined;
  }
}

/**
 * Strict where a guess could change what the receiver said: a line counts only with its line feed (`120` cut to `12`
 * would be too early), the status line in its exact form. A header line that is not readable is left out; it says
 * nothing about the others. Where the body would begin does not matter: nothing of it is used.
 */
function readLeniently(text: string): ReadHead | undefined {
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  for (let at = 0; at < lines.length; at = lines.indexOf('', at) + 1 || lines.length) {
    while (lines[at] === '') at++;
    const status = Number(LENIENT_STATUS_LINE.exec(lines[at] ?? '')?.[1]);
    if (status >= 200) return { status, headers: readHeaders(lines.slice(at + 1)) };
    // 101 is the last word in HTTP on its connection.
    if (!(status >= 100) || status === 101) return undefined;
  }
  return undefined;
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: [name: string, value: string][] = [];
  for (const line of lines) {
    if (line === '') break;
    const last = headers.at(-1);
    if (/^[ \t]/.test(line) && last) last[1] += ` ${line.trim()}`;
    const [, name, value] = LENIENT_HEADER_LINE.exec(line) ?? [];
    if (name !== undefined) headers.push([name.toLowerCase(), value!.trim()]);
  }
  return Object.fromEntries(headers.toReversed());
}

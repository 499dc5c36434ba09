/** How large the headers of an answer may be, and how much of its beginning is kept until they are complete, bytes. */
export const MAX_HEADER_BYTES = 65_536;
/** Beyond this many pieces they are joined: a piece costs memory however short it is. */
const MAX_PIECES = 64;

const STATUS_LINE = /^HTTP\/1\.\d ([1-5]\d\d)(?: [^\r]*)?$/;
/** A blank before the colon is dropped, as a proxy has to drop it (RFC 9112, 5.1). */
const HEADER_LINE = /^([!#$%&'*+.^_`|~\dA-Za-z-]+)[ \t]*:([\t\x20-\x7e\x80-\xff]*)$/;

export interface ReadHead {
  /** A final one, 200 to 599. */
  readonly status: number;
  /** By lower-case name, the first of several. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The beginning of an answer as it came over the wire, for the case that Node's parser refuses it: by then the receiver
 * has said its status, and only the receiver's mistakes behind it keep the parser from telling.
 */
export class ReceivedHead {
  private pieces: Buffer[] = [];
  private bytes = 0;

  add(piece: Buffer): void {
    const room = MAX_HEADER_BYTES - this.bytes;
    if (room <= 0) return;
    const kept = piece.length > room ? piece.subarray(0, room) : piece;
    this.pieces.push(kept);
    this.bytes += kept.length;
    if (this.pieces.length > MAX_PIECES) this.pieces = [Buffer.concat(this.pieces)];
  }

  /** The final status and the readable headers; undefined unless a whole, well-formed status line is there. */
  read(): ReadHead | undefined {
    return readHead(Buffer.concat(this.pieces).toString('latin1'));
  }
}

/**
 * Strict where a guess could change what the receiver said: a line counts only with its line feed (`120` cut to `12`
 * would be too early), the status line in its exact form. A header line that is not readable is left out; it says
 * nothing about the others. Where the body would begin does not matter: nothing of it is used.
 */
function readHead(text: string): ReadHead | undefined {
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  for (let at = 0; at < lines.length; at = lines.indexOf('', at) + 1 || lines.length) {
    // The parser passes over empty lines before a status line too.
    while (lines[at] === '') at++;
    const status = Number(STATUS_LINE.exec(lines[at] ?? '')?.[1]);
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
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name !== undefined) headers.push([name.toLowerCase(), value!.trim()]);
  }
  return Object.fromEntries(headers.toReversed());
}

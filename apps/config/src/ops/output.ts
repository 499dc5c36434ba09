import { escapeUnprintable } from '@form-webhooks/domain';

/** Where texts go. */
export type Write = (text: string) => void;

/** What a command says: lines for people, or with `--json` one document for programs. */
export class Output {
  constructor(
    readonly json: boolean,
    private readonly out: Write,
    private readonly err: Write,
  ) {}

  /** What it has to say at last: the document for programs, the lines for people. */
  result(document: unknown, lines: readonly string[]): void {
    if (this.json) this.out(`${JSON.stringify(document)}\n`);
    else for (const line of lines) this.out(`${printable(line)}\n`);
  }

  /** How far it is, for people alone and apart from the result. */
  progress(line: string): void {
    if (!this.json) this.err(`${printable(line)}\n`);
  }

  /** What went wrong, and what to do. */
  failure(message: string, advice: string): void {
    if (this.json) this.err(`${JSON.stringify({ error: message, advice })}\n`);
    else this.err(`${printable(message)}\n  what to do: ${printable(advice)}\n`);
  }

  /** What there is to call, after a call that was none; for people alone. */
  help(text: string): void {
    if (!this.json) this.err(`\n${text}`);
  }
}

/** A text's own lines stay lines; nothing in it can steer a terminal. */
const printable = (text: string): string => text.split('\n').map(escapeUnprintable).join('\n');

import { escapeUnprintable } from '@form-webhooks/domain';

/**
 * Says lines on standard output. What a service wrote comes by dozens of lines at a time, and a write to a terminal or a
 * file waits until it is done: lines of one turn go out in one.
 */
export class LinePrinter {
  private waiting = '';

  constructor(private readonly output: { write(text: string): unknown }) {}

  readonly say = (text: string): void => {
    // A microtask: whoever says something and then ends the process has still said it.
    if (this.waiting === '') queueMicrotask(() => this.write());
    this.waiting += `${harmless(text)}\n`;
  };

  private write(): void {
    const text = this.waiting;
    this.waiting = '';
    this.output.write(text);
  }
}

/** Only what a text says on several lines has line feeds, which are to stay. */
const harmless = (text: string): string =>
  text.includes('\n') ? text.split('\n').map(escapeUnprintable).join('\n') : escapeUnprintable(text);

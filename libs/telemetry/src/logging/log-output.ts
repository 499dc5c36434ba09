import { write } from 'node:fs';
import { promisify } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';

const writeTo = promisify(write);
/** Of lines that wait; a service writes less in a minute. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const AGAIN_AFTER_MS = 50;
/**
 * How long lines wait for others, and how many bytes of them at most. A write costs more than all of an attempt's line
 * [measured: a write for each turn of the event loop took a tenth of ingest's CPU time].
 */
const GATHERED_MS = 50;
const GATHERED_BYTES = 64 * 1024;

/**
 * Writes lines to a file descriptor without ever waiting for whoever reads them. Standard output is mostly a pipe, and its
 * reader can stop reading or die: written at once, a line would then stop the whole service, or keep it from ending.
 *
 * Lines of 50 ms go out together, or of 64 KiB; one that a person has to see goes out at once, with all before it, since
 * it can be the last thing that the process says. Beyond 4 MiB that nobody reads new lines are lost, and the next that are
 * written say how many. Once the reader is gone all are.
 */
export class LogOutput {
  private waiting: string[] = [];
  private waitingBytes = 0;
  private lost = 0;
  private writing: Promise<void> | undefined;
  /** Whether what waits must not wait for further lines; it ends that wait. */
  private isUrgent = false;
  private endWait: (() => void) | undefined;
  private gone = false;

  /** @param about what every line says of the service, for the line that tells of lost ones */
  constructor(
    private readonly fd: number,
    private readonly about: object,
  ) {}

  /** @param urgent whether it must not wait for further lines */
  write(line: string, urgent = false): void {
    if (this.gone) return;
    if (this.waitingBytes + line.length > MAX_WAITING_BYTES) {
      this.lost += 1;
      return;
    }
    this.waiting.push(line);
    this.waitingBytes += line.length;
    this.writing ??= this.writeAll();
    if (urgent || this.waitingBytes >= GATHERED_BYTES) this.hurry();
  }

  /** Calls back once all lines are written or lost; that may be never, while nobody reads. */
  flush(done: () => void): void {
    this.hurry();
    void (this.writing ?? Promise.resolve()).then(done);
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      await this.gathered();
      const text = this.waiting.join('') + this.lossLine();
      this.waiting = [];
      await this.writeWhole(Buffer.from(text));
      this.waitingBytes = this.waiting.reduce((bytes, line) => bytes + line.length, 0);
    }
    this.writing = undefined;
  }

  private hurry(): void {
    this.isUrgent = true;
    this.endWait?.();
  }

  /** Lines that came while others were written wait as well, or each would be a write of its own again. */
  private async gathered(): Promise<void> {
    if (!this.isUrgent) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, GATHERED_MS);
        this.endWait = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.endWait = undefined;
    }
    // What else this turn says comes along.
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.isUrgent = false;
  }

  private async writeWhole(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && !this.gone;) {
      try {
        at += (await writeTo(this.fd, bytes, at, bytes.length - at, null)).bytesWritten;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') await delay(AGAIN_AFTER_MS);
        else this.gone = true;
      }
    }
  }

  /** After what could still be kept, so that the gap stands where it is. */
  private lossLine(): string {
    if (this.lost === 0) return '';
    const line = {
      ...{ level: 'warn', time: new Date().toISOString(), ...this.about, event_name: 'log.lines_lost' },
      ...{ lost: this.lost, msg: 'lines of the log were lost: nobody read them' },
    };
    this.lost = 0;
    return `${JSON.stringify(line)}\n`;
  }
}

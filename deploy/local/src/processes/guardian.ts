import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ProcessIdentity } from '../../prepare/process-identity.mjs';

export interface Watched extends ProcessIdentity {
  readonly label: string;
  /** What ends it in order, and how long that may take before it is killed. */
  readonly signal: NodeJS.Signals;
  readonly graceMs: number;
}

/**
 * This process's side of `prepare/guardian.mjs`: a small process of its own that ends what this one started, should this one
 * die without doing so. It is started with the first thing to watch and ended with the last one.
 */
class Guardian {
  private child: ChildProcess | undefined;
  private readonly watched = new Set<number>();
  private readonly paths = new Set<string>();

  watch(process: Watched): void {
    this.watched.add(process.pid);
    this.tell({ watch: process });
  }

  forget(pid: number): void {
    if (!this.watched.delete(pid)) return;
    this.tell({ forget: pid });
    this.endIfIdle();
  }

  /** A file or folder that is to go with this process. */
  removeAtDeath(path: string): void {
    this.paths.add(path);
    this.tell({ remove: path });
  }

  /** It was removed in order. */
  isRemoved(path: string): void {
    if (!this.paths.delete(path)) return;
    this.tell({ keep: path });
    this.endIfIdle();
  }

  private tell(message: object): void {
    this.child ??= this.start();
    this.child.stdin!.write(`${JSON.stringify(message)}\n`);
  }

  private start(): ChildProcess {
    const script = fileURLToPath(new URL('../../prepare/guardian.mjs', import.meta.url));
    // In a session of its own, so that a Ctrl-C in the terminal reaches only the parent, which stops things in order.
    const child = spawn(process.execPath, [script], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    // It must not keep this process alive.
    child.unref();
    (child.stdin as unknown as { unref(): void }).unref();
    return child;
  }

  private endIfIdle(): void {
    if (this.watched.size > 0 || this.paths.size > 0) return;
    this.child?.stdin?.end();
    this.child = undefined;
  }
}

export const guardian = new Guardian();

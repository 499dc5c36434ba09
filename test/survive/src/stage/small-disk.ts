import { execFile } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const MIB = 1_048_576;
/** Room for a server with the load of a run, and soon full beside the ballast. */
const SIZE_MIB = 1_024;

/** A file system in memory for the folder of one server, which can be filled up. It needs the right to mount. */
export class SmallDisk {
  private isMounted = false;
  private readonly ballast: string;

  constructor(private readonly folder: string) {
    this.ballast = join(folder, 'ballast');
  }

  async mount(): Promise<void> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    await execute('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m,mode=0700`, 'tmpfs', this.folder]);
    this.isMounted = true;
  }

  /** Leaves so much free. */
  fill(leaveMiB: number): void {
    const piece = Buffer.alloc(MIB);
    const file = openSync(this.ballast, 'a');
    try {
      while (this.freeMiB > leaveMiB) writeSync(file, piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  /** What an operator does who finds something that can go. */
  free(): void {
    rmSync(this.ballast, { force: true });
  }

  get freeMiB(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return Math.floor((bavail * bsize) / MIB);
  }

  async unmount(): Promise<void> {
    if (this.isMounted) await execute('umount', ['--lazy', this.folder]);
    this.isMounted = false;
  }
}

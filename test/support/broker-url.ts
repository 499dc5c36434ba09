import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

let claimed: string | undefined;

/**
 * The run's broker, as `amqp://…` of a virtual host that no other process of the run uses: spec files run side by side,
 * and each declares, fills and deletes the product's queues by their one and only names. A process claims its virtual
 * host by a file, once: Vitest's own number of a worker is given to two at a time after it went from unit to
 * integration tests [seen on 4.1.12].
 */
export function brokerUrl(): string {
  claimed ??= claim();
  return claimed;
}

function claim(): string {
  const { urls, claims } = inject('broker');
  const [url] = urls;
  // A broker of the user's own: one file at a time.
  if (url !== undefined && urls.length === 1) return url;
  const free = urls.find((_, n) => take(join(claims, String(n))));
  if (free === undefined) throw new Error(`all ${urls.length} virtual hosts are claimed by processes that run`);
  return free;
}

/** Whether the file is this process's now: nobody had it, or who had it is gone. */
function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const owner = Number(readFileSync(file, 'utf8'));
  if (owner === process.pid) return true;
  if (runs(owner)) return false;
  rmSync(file, { force: true });
  return take(file);
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

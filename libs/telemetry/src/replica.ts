import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

/** This process, told apart from the others of its kind: a pod's name, or a machine's, and the process id. */
export const REPLICA = `${hostname()}:${process.pid}`;

/** The release that this process runs: all packages of one have the same number. */
export const VERSION = (JSON.parse(readFileSync(packageOf(import.meta.dirname), 'utf8')) as { version: string })
  .version;

/** That of this package, or of the service whose bundle this is part of. */
function packageOf(folder: string): string {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return file;
  if (dirname(folder) === folder) throw new Error('no package.json says which release this is');
  return packageOf(dirname(folder));
}

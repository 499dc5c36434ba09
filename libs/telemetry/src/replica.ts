import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** This process, told apart from the others of its kind: a pod's name, or a machine's, and the process id. */
export const REPLICA = `${hostname()}:${process.pid}`;

/** The release that this process runs: all packages of one have the same number. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

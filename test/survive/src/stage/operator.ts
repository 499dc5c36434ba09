import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Stage } from './stage.js';
import { THIS_BUILD } from './service.js';

const execute = promisify(execFile);
const OPS = join(THIS_BUILD, 'apps/config/dist/ops/ops.js');

/** What an operator's command prints as JSON, called as in config's container. @throws Error if it fails */
export async function operate<Told>(stage: Stage, ...args: readonly string[]): Promise<Told> {
  const env = { PATH: process.env['PATH'], ...stage.of('config')[0]!.env };
  const { stdout } = await execute(process.execPath, [OPS, ...args, '--json'], { env });
  return JSON.parse(stdout) as Told;
}

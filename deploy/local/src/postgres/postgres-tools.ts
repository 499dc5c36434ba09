import { dirname, join } from 'node:path';
import { LocalFailure } from '../failure.js';
import { lastLines, run } from '../provide/programs.js';
import { postgresEnvironment } from './postgres-cluster.js';
import { postgresPrograms } from './postgres-programs.js';

/** Programs of PostgreSQL that work over a connection. */
export type PostgresTool = 'createdb' | 'dropdb' | 'pg_dump' | 'pg_restore';

const WITHIN_MS = 300_000;

/** Runs the one that came with the server's programs. @throws LocalFailure with its last lines if it fails */
export async function postgresTool(tool: PostgresTool, ...args: readonly string[]): Promise<void> {
  const { postgres } = await postgresPrograms(() => undefined);
  const program = join(dirname(postgres), tool);
  const finished = await run(program, args, { env: postgresEnvironment(), timeoutMs: WITHIN_MS });
  if (finished.code === 0) return;
  const output = lastLines(`${finished.stdout}\n${finished.stderr}`);
  throw new LocalFailure(`${tool} failed (exit code ${finished.code}).`, 'See the last lines.', output);
}

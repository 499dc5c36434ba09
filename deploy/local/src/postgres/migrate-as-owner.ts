import { join } from 'node:path';
import { LocalFailure } from '../failure.js';
import { lastLines, run } from '../provide/programs.js';
import { RUNTIME_ROLE } from './postgres-cluster.js';

const WITHIN_MS = 300_000;

/**
 * Brings the schema up to date as the owner of the tables, and gives config's role its rights: what the migration job
 * does in other installations.
 * @param root where config is
 */
export async function migrateAsOwner(root: string, ownerUrl: string): Promise<void> {
  const program = join(root, 'apps', 'config', 'dist', 'ops', 'ops.js');
  const env = { PATH: process.env['PATH'], MIGRATION_DATABASE_URL: ownerUrl, DATABASE_RUNTIME_ROLE: RUNTIME_ROLE };
  const finished = await run(process.execPath, [program, 'migrate'], { env, cwd: root, timeoutMs: WITHIN_MS });
  if (finished.code === 0) return;
  const output = lastLines(`${finished.stdout}\n${finished.stderr}`);
  throw new LocalFailure('The schema of the database could not be brought up to date.', 'See the last lines.', output);
}

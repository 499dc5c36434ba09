import { join } from 'node:path';
import { LocalFailure } from '../failure.js';
import { installPackage, type Say } from '../provide/install-packages.js';
import { entriesOf, findIn, run, searchPath } from '../provide/programs.js';

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** The oldest release line that its makers still cared for when this was written. */
const OLDEST_MAJOR = 13;

/** The installed programs, the newest version first; installs them if there are none. */
export async function postgresPrograms(say: Say): Promise<PostgresPrograms> {
  const found = (await findPrograms()) ?? (await installed(say));
  if (found) return found;
  throw new LocalFailure(
    `PostgreSQL's programs initdb and postgres (version ${OLDEST_MAJOR} or later) were not found.`,
    'Install PostgreSQL, put its bin folder into PATH, or set DATABASE_URL to a server of your own.',
  );
}

async function installed(say: Say): Promise<PostgresPrograms | undefined> {
  await installPackage({ product: 'PostgreSQL', packageName: 'postgresql', variable: 'DATABASE_URL' }, say);
  return findPrograms();
}

async function findPrograms(): Promise<PostgresPrograms | undefined> {
  for (const folders of [...versionedFolders().map((folder) => [folder]), searchPath()]) {
    const initdb = findIn(folders, 'initdb');
    const postgres = findIn(folders, 'postgres');
    if (initdb && postgres && (await majorOf(postgres)) >= OLDEST_MAJOR) return { initdb, postgres };
  }
  return undefined;
}

/** Where systems keep several versions side by side, outside PATH; the newest first. */
function versionedFolders(): string[] {
  const roots = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];
  const version = (name: string): number => Number(/^(?:postgresql@)?(\d+)$/.exec(name)?.[1] ?? 0);
  return roots.flatMap((root) =>
    entriesOf(root)
      .filter((name) => version(name) > 0)
      .sort((a, b) => version(b) - version(a))
      .map((name) => join(root, name, 'bin')),
  );
}

async function majorOf(postgres: string): Promise<number> {
  const { stdout } = await run(postgres, ['--version']);
  return Number(/\b(\d{1,4})(\.\d+|devel|beta\d+|rc\d+)/.exec(stdout)?.[1] ?? 0);
}

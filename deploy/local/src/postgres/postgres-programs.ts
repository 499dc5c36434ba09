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

interface Version extends PostgresPrograms {
  readonly major: number;
}

/**
 * The installed programs, those of the newest version; installs them if there are none.
 * @param dataMajor the version that data were made by, which no other can read: its programs come first
 */
export async function postgresPrograms(say: Say, dataMajor?: string): Promise<PostgresPrograms> {
  const found = preferred(await versions(), dataMajor) ?? (await installed(say, dataMajor));
  if (found) return found;
  throw new LocalFailure(
    `PostgreSQL's programs initdb and postgres (version ${OLDEST_MAJOR} or later) were not found.`,
    'Install PostgreSQL, put its bin folder into PATH, or set DATABASE_URL to a server of your own.',
  );
}

async function installed(say: Say, dataMajor?: string): Promise<PostgresPrograms | undefined> {
  await installPackage({ product: 'PostgreSQL', packageName: 'postgresql', variable: 'DATABASE_URL' }, say);
  return preferred(await versions(), dataMajor);
}

/** Of versions in the order in which they are looked for: that of the data, else the first. */
export const preferred = <V extends { readonly major: number }>(
  found: readonly V[],
  dataMajor?: string,
): V | undefined => found.find(({ major }) => String(major) === dataMajor) ?? found[0];

async function versions(): Promise<readonly Version[]> {
  const found: Version[] = [];
  for (const folders of [...versionedFolders().map((folder) => [folder]), searchPath()]) {
    const initdb = findIn(folders, 'initdb');
    const postgres = findIn(folders, 'postgres');
    if (initdb === undefined || postgres === undefined) continue;
    const major = await majorOf(postgres);
    if (major >= OLDEST_MAJOR) found.push({ initdb, postgres, major });
  }
  return found;
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

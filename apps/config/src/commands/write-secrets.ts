import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEFINITIONS, withCurrentRights, type SecretFiles } from './installation-secrets.js';

/** Written last: with it everything is there. */
const COMPLETE = 'config/complete';

/** Who may read the files: whoever made them alone, or everybody who sees the folder at all. */
export type Readers = 'owner' | 'everybody';

const MODES = {
  owner: { file: 0o600, folder: 0o700 },
  everybody: { file: 0o444, folder: 0o755 },
} as const;

/** Writes an installation's secrets into a folder, each whole. @returns false if all were there: none is made anew then */
export function writeSecrets(folder: string, files: SecretFiles, readers: Readers): boolean {
  if (existsSync(join(folder, COMPLETE))) return false;
  for (const [name, content] of Object.entries({ ...files, [COMPLETE]: '' })) {
    writeWhole(join(folder, name), content, MODES[readers]);
  }
  return true;
}

/**
 * Brings the rights of the broker's users up to date in an installation that stands.
 * @returns whether they were others
 * @throws Error if what stands there can't be read
 */
export function refreshRights(folder: string, readers: Readers): boolean {
  const file = join(folder, DEFINITIONS);
  // Moved to where the broker is, and gone from here.
  if (!existsSync(file)) return false;
  const standing = readFileSync(file, 'utf8');
  const current = withCurrentRights(standing);
  if (current === standing) return false;
  writeWhole(file, current, MODES[readers]);
  return true;
}

function writeWhole(file: string, content: string, mode: (typeof MODES)[Readers]): void {
  mkdirSync(dirname(file), { recursive: true, mode: mode.folder });
  writeFileSync(`${file}.new`, content, { mode: mode.file });
  // One that a broken run left keeps the mode that it had.
  chmodSync(`${file}.new`, mode.file);
  renameSync(`${file}.new`, file);
}

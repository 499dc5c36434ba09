import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SecretFiles } from './installation-secrets.js';

/** Written last: with it everything is there. */
const COMPLETE = 'config/complete';

/** Who may read the files: whoever made them alone, or everybody who sees the folder at all. */
export type Readers = 'owner' | 'everybody';

const MODES = {
  owner: { file: 0o600, folder: 0o700 },
  everybody: { file: 0o444, folder: 0o755 },
} as const;

/** Writes an installation's secrets into a folder, each whole. @returns false if all were there: none is changed then */
export function writeSecrets(folder: string, files: SecretFiles, readers: Readers): boolean {
  if (existsSync(join(folder, COMPLETE))) return false;
  for (const [name, content] of Object.entries({ ...files, [COMPLETE]: '' })) {
    writeWhole(join(folder, name), content, MODES[readers]);
  }
  return true;
}

function writeWhole(file: string, content: string, mode: (typeof MODES)[Readers]): void {
  mkdirSync(dirname(file), { recursive: true, mode: mode.folder });
  writeFileSync(`${file}.new`, content, { mode: mode.file });
  // One that a broken run left keeps the mode that it had.
  chmodSync(`${file}.new`, mode.file);
  renameSync(`${file}.new`, file);
}

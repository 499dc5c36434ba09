// node apps/config/dist/commands/make-secrets.js <folder> <broker's host> <database's host>
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installationSecrets } from './installation-secrets.js';

/** Written last: with it everything is there. */
const COMPLETE = 'config/complete';

const [folder, broker, database] = process.argv.slice(2);
if (folder === undefined || broker === undefined || database === undefined) {
  process.stderr.write("usage: make-secrets.js <folder> <broker's host> <database's host>\n");
  process.exit(2);
}
if (existsSync(join(folder, COMPLETE))) {
  process.stdout.write(`${folder}: the secrets of this installation are there already; nothing was changed\n`);
} else {
  const files = installationSecrets({ broker, database });
  for (const [name, content] of Object.entries({ ...files, [COMPLETE]: '' })) writeWhole(join(folder, name), content);
  process.stdout.write(`${folder}: ${Object.keys(files).length} secrets made. Keep a copy of config/secret-keys.\n`);
}

/** Readable for all: who sees the folder at all is decided by what mounts it, and each service runs as another user. */
function writeWhole(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, content, { mode: 0o444 });
  renameSync(`${file}.new`, file);
}

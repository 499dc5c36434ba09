// node apps/config/dist/commands/make-secrets.js <folder> <broker's hosts> <database's host> [--for-everybody]
import { parseArgs } from 'node:util';
import { installationSecrets } from './installation-secrets.js';
import { refreshRights, writeSecrets, type Readers } from './write-secrets.js';

const USAGE = `usage: make-secrets.js <folder> <broker's hosts> <database's host> [--for-everybody]

  <broker's hosts>   one, or those of a cluster separated by commas
  --for-everybody    who sees the folder may read it: for volumes, each of which one service mounts as its own user
`;

const { folder, broker, database, readers } = called() ?? refuse();
const files = installationSecrets({ broker, database });
if (writeSecrets(folder, files, readers)) {
  process.stdout.write(`${folder}: ${Object.keys(files).length} secrets made. Keep a copy of config/secret-keys.\n`);
} else if (refreshRights(folder, readers)) {
  process.stdout.write(
    `${folder}: the rights of the broker's users are this version's now; RabbitMQ reads them at its next start. ` +
      'The secrets are there already and stay\n',
  );
} else {
  process.stdout.write(`${folder}: the secrets of this installation are there already; nothing was changed\n`);
}

function called() {
  try {
    const options = { 'for-everybody': { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [folder, broker, database] = positionals;
    if (folder === undefined || broker === undefined || database === undefined) return undefined;
    const readers: Readers = values['for-everybody'] === true ? 'everybody' : 'owner';
    return { folder, broker, database, readers };
  } catch {
    return undefined;
  }
}

function refuse(): never {
  process.stderr.write(USAGE);
  process.exit(2);
}

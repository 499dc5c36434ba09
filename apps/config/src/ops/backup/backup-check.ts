import { parseDuration } from '@form-webhooks/domain';
import { knownMigrations } from '@form-webhooks/storage';
import { asDatabaseUrl } from '../../database/database-settings.js';
import { withDatabaseAt } from '../connect.js';
import { ringOf } from '../doctor/examine.js';
import type { Finding } from '../doctor/finding.js';
import { concludeWith } from '../doctor/finding-lines.js';
import { textOption, wrongCall, type OpsCall, type OpsCommand } from '../ops-command.js';
import { readArchive } from './archive.js';
import { checkContents, judgeAge, judgeBackedUpMigrations, judgeTables } from './contents-checks.js';

const MAX_AGE = '25h';

/** Could the installation go on with this backup? */
export const CHECK_BACKUP: OpsCommand = {
  name: 'backup check',
  takes: ['[file]'],
  summary: 'could the installation go on with this backup? An archive of pg_dump, or by --database a restored copy',
  options: {
    database: { type: 'string', meaning: 'a database that the backup was restored into, as postgres://…' },
    'max-age': { type: 'string', meaning: `how old it may be, such as 25h; ${MAX_AGE} by default` },
  },
  notes: [
    'Of an archive it looks at its age, its tables and their migrations, by pg_restore. Of a restored copy also whether',
    'SECRET_KEYS opens its secrets and whether the audit log is whole: do that now and then. It changes nothing.',
    'An archive holds the local time of pg_dump without its zone: check it in the time zone in which it was made (TZ).',
  ],
  async run(call) {
    const [file, database] = [call.args[0], databaseOption(call)];
    const maxAgeMs = ageOption(call);
    if ((file === undefined) === (database === undefined)) {
      throw wrongCall(
        'it is not clear what to look at',
        'give an archive, or --database with the URL of a restored copy',
      );
    }
    const findings =
      file === undefined ? await checkCopy(call, database!, maxAgeMs) : await checkArchive(call, file, maxAgeMs);
    return concludeWith(call, findings);
  },
};

async function checkArchive({ signal }: OpsCall, file: string, maxAgeMs: number): Promise<readonly Finding[]> {
  const { madeAt, missingTables, migrations } = await readArchive(file, signal);
  const known = knownMigrations();
  const standing = {
    missing: known.filter((name) => !migrations.includes(name)),
    later: migrations.filter((name) => !known.includes(name)),
  };
  return [
    judgeTables(missingTables, standing),
    judgeBackedUpMigrations(standing),
    judgeAge(madeAt, Date.now(), maxAgeMs, 'it was made'),
  ];
}

async function checkCopy(
  { installation, signal }: OpsCall,
  url: string,
  maxAgeMs: number,
): Promise<readonly Finding[]> {
  return withDatabaseAt(url, '--database', async (dataSource) => {
    const { contents, findings } = await checkContents(dataSource, ringOf(installation), signal);
    return [...findings, judgeAge(contents.writtenAt, Date.now(), maxAgeMs)];
  });
}

function databaseOption(call: OpsCall): string | undefined {
  const url = textOption(call, 'database');
  try {
    return url === undefined ? undefined : asDatabaseUrl(url);
  } catch (error) {
    throw wrongCall(
      `--database: ${(error as Error).message}`,
      'give one such as postgres://user:password@host:5432/name',
    );
  }
}

function ageOption(call: OpsCall): number {
  try {
    return parseDuration(textOption(call, 'max-age') ?? MAX_AGE);
  } catch (error) {
    throw wrongCall(`--max-age: ${(error as Error).message}`, 'give such a duration');
  }
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TABLES } from '@form-webhooks/storage';
import { EXIT, OpsFailure } from '../ops-command.js';

const WITHIN_MS = 300_000;
const LARGEST_OUTPUT = 64 * 1024 * 1024;

/** What an archive of `pg_dump` says of itself. */
export interface ArchiveContents {
  /** Right only where this process has the time zone that `pg_dump` had. */
  readonly madeAt: Date | null;
  /** Of `TABLES`, those without their rows. */
  readonly missingTables: readonly string[];
  /** None if it can't be told: the rows of an archive that was made with `--inserts` are not read. */
  readonly migrations: readonly string[];
}

/** Reads an archive without restoring it. @throws OpsFailure if it is none, or `pg_restore` is not here */
export async function readArchive(file: string, signal: AbortSignal): Promise<ArchiveContents> {
  const list = await pgRestore(['--list', file], signal);
  const rows = await pgRestore(['--data-only', '--table=migrations', '--file=-', file], signal);
  return { ...readList(list), migrations: readMigrations(rows) };
}

/** Reads what `pg_restore --list` prints. */
export function readList(text: string): Omit<ArchiveContents, 'migrations'> {
  const [, day, time] = /^;\s+Archive created at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/m.exec(text) ?? [];
  // The archive holds the time that a clock on the wall of pg_dump showed. The zone behind it is that of pg_restore.
  const madeAt = day === undefined ? NaN : Date.parse(`${day}T${time}`);
  // Rows of a table that is kept in days are those of its days.
  const withRows = new Set(
    [...text.matchAll(/^\d+; .* TABLE DATA \S+ (\S+) /gm)].map(([, name]) => name!.split(/_\d{8}$/)[0]),
  );
  return {
    madeAt: Number.isNaN(madeAt) ? null : new Date(madeAt),
    missingTables: TABLES.filter((name) => !withRows.has(name) && !WITHOUT_ROWS.includes(name)),
  };
}

/** Nothing in it is worth keeping, and `--no-unlogged-table-data` leaves it out. */
const WITHOUT_ROWS = ['rate_limits'];

/** The names in the rows of `migrations`, as `COPY` has them. */
export function readMigrations(text: string): readonly string[] {
  const [, columns, rows] = /^COPY \S+ \(([^)]*)\) FROM stdin;\n([\s\S]*?)^\\\.$/m.exec(text) ?? [];
  if (columns === undefined) return [];
  const at = columns.split(', ').indexOf('name');
  return rows!
    .split('\n')
    .filter(Boolean)
    .map((row) => row.split('\t')[at]!);
}

async function pgRestore(args: readonly string[], signal: AbortSignal): Promise<string> {
  try {
    const options = {
      timeout: WITHIN_MS,
      maxBuffer: LARGEST_OUTPUT,
      signal,
      env: { ...process.env, LC_ALL: 'C' },
    };
    return (await promisify(execFile)('pg_restore', [...args], options)).stdout;
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error as Error & { code?: unknown; stderr?: string });
  }
}

function failureOf({ code, stderr, message }: Error & { code?: unknown; stderr?: string }): OpsFailure {
  if (code === 'ENOENT') {
    const advice = "install PostgreSQL's client programs here, or restore it somewhere and give that by --database";
    return new OpsFailure('there is no pg_restore here, which reads archives', advice);
  }
  const [first = message] = (stderr ?? '').split('\n').filter(Boolean);
  const advice =
    'give an archive that `pg_dump --format=custom` made; of a plain one restore a copy, and give --database';
  return new OpsFailure(`pg_restore can't read it: ${first}`, advice, EXIT.found);
}

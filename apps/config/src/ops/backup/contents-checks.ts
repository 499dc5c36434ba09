import { formatDuration } from '@form-webhooks/domain';
import {
  auditedWorkspaces,
  databaseContents,
  keysThatDoNotOpen,
  knownMigrations,
  pendingMigrations,
  secretsByKey,
  tablesMadeBy,
  verifyAuditChain,
  type DatabaseContents,
  type DataSource,
  type MigrationsStanding,
} from '@form-webhooks/storage';
import type { SealingSettings } from '@form-webhooks/settings';
import { counted } from '../../counted.js';
import { judgeKeys } from '../doctor/database-checks.js';
import { fine, unknown, wrong, type Finding } from '../doctor/finding.js';

const SEE = 'docs/operations.md#retention-and-backups';
/** What clocks may differ. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Looks at a database as something that the installation could go on with. */
export async function checkContents(
  dataSource: DataSource,
  ring: SealingSettings['keyRing'] | Finding,
  signal: AbortSignal,
): Promise<{ readonly contents: DatabaseContents; readonly findings: readonly Finding[] }> {
  const contents = await databaseContents(dataSource);
  const standing = await pendingMigrations(dataSource);
  const findings = [judgeTables(contents.missingTables, standing), judgeBackedUpMigrations(standing)];
  const lacks = (...tables: readonly string[]): boolean => tables.some((name) => contents.missingTables.includes(name));
  findings.push(
    lacks('endpoint_secrets', 'endpoint_headers')
      ? unknown('key ring', 'it was not tried: tables with what is sealed are missing')
      : await checkRing(dataSource, ring),
    lacks('audit_entries', 'audit_heads')
      ? unknown('audit log', 'it was not read: its tables are missing')
      : await checkAudit(dataSource, signal),
  );
  return { contents, findings };
}

/** Whether every table is there; those of later versions than the backup's come with their migrations. */
export function judgeTables(missing: readonly string[], standing: MigrationsStanding): Finding {
  if (missing.length === 0) return fine('tables', 'all are there');
  const toCome = tablesMadeBy(standing.missing);
  const lost = missing.filter((name) => !toCome.includes(name));
  if (lost.length > 0) {
    const repair = 'this is no whole backup: make it of all tables, or give another';
    return wrong('tables', { what: `missing: ${lost.join(', ')}`, repair, see: SEE });
  }
  const what = `missing: ${missing.join(', ')}`;
  if (noneRan(standing)) return unknown('tables', `${what}; whether they were there can't be told without migrations`);
  return fine('tables', `${what}; an older version made it, and \`migrate\` makes them`);
}

/** Nothing that config works on is so: its migrations could not be read, or were not backed up. */
const noneRan = ({ missing, later }: MigrationsStanding): boolean =>
  later.length === 0 && knownMigrations().every((name) => missing.includes(name));

/** Whether this version can go on with the schema; an older one it brings up to date. */
export function judgeBackedUpMigrations(standing: MigrationsStanding): Finding {
  const { missing, later } = standing;
  if (noneRan(standing)) {
    return unknown('migrations', 'none can be read: it holds none, or is an archive that was made with --inserts');
  }
  if (later.length > 0) {
    const unheardOf = counted(later.length, 'migration', 'migrations');
    return wrong('migrations', {
      what: `a later version made it: this one does not know ${unheardOf}, such as ${later[0]}`,
      repair: 'look at it with that version, and go on with it: this one may lack what later ones rely on',
      see: SEE,
    });
  }
  if (missing.length === 0) return fine('migrations', 'they are those of this version');
  return fine(
    'migrations',
    `an older version made it: ${counted(missing.length, 'is', 'are')} to be run, by \`migrate\` or by config`,
  );
}

async function checkRing(dataSource: DataSource, ring: SealingSettings['keyRing'] | Finding): Promise<Finding> {
  if ('verdict' in ring) return ring;
  return judgeKeys(await secretsByKey(dataSource), ring, await keysThatDoNotOpen(dataSource, ring));
}

async function checkAudit(dataSource: DataSource, signal: AbortSignal): Promise<Finding> {
  let [chains, broken]: [number, string | undefined] = [0, undefined];
  for (const workspaceId of await auditedWorkspaces(dataSource)) {
    signal.throwIfAborted();
    const chain = await verifyAuditChain(dataSource, workspaceId);
    chains += 1;
    if ('what' in chain) broken ??= `${workspaceId} at entry ${chain.seq}: ${chain.what}`;
  }
  if (broken === undefined) return fine('audit log', counted(chains, 'chain is intact', 'chains are intact'));
  return wrong('audit log', {
    what: `a chain is broken: ${broken}`,
    repair: 'take a backup from before that, and find out who changed it: `audit verify` names every broken chain',
    see: 'docs/operations.md#audit-log',
  });
}

/** Whether a backup is as young as backups are to be; `now` in ms since the epoch. */
export function judgeAge(
  writtenAt: Date | null,
  now: number,
  maxAgeMs: number,
  what = 'config wrote into it last',
): Finding {
  if (writtenAt === null) {
    const repair = 'look whether it is the right database; config writes into it within two minutes of its start';
    return wrong('age', { what: 'config has never written into it', repair, see: SEE });
  }
  const aheadMs = writtenAt.getTime() - now;
  if (aheadMs > CLOCK_TOLERANCE_MS) {
    return wrong('age', {
      what: `${what} at ${writtenAt.toISOString()}, which lies ${inWords(aheadMs)} in the future`,
      repair:
        'check an archive in the time zone in which it was made (TZ): it holds none; or set the wrong clock right',
      see: SEE,
    });
  }
  const ageMs = Math.max(0, -aheadMs);
  const told = `${what} at ${writtenAt.toISOString()}, ${inWords(ageMs)} ago`;
  if (ageMs <= maxAgeMs) return fine('age', told);
  return wrong('age', {
    what: `${told}: more than ${formatDuration(maxAgeMs)}`,
    repair: 'look whether backups are still made, and whether config ran then; --max-age says how old one may be',
    see: SEE,
  });
}

/** To the minute. */
export const inWords = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  return minutes === 0 ? 'less than a minute' : formatDuration(minutes * 60_000);
};

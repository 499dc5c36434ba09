import { formatDuration } from '@form-webhooks/domain';
import {
  auditedWorkspaces,
  databaseContents,
  keysThatDoNotOpen,
  pendingMigrations,
  secretsByKey,
  verifyAuditChain,
  type DatabaseContents,
  type DataSource,
  type MigrationsStanding,
} from '@form-webhooks/storage';
import type { SealingSettings } from '@form-webhooks/settings';
import { judgeKeys } from '../doctor/database-checks.js';
import { fine, wrong, type Finding } from '../doctor/finding.js';

const SEE = 'docs/operations.md#retention-and-backups';

/** Looks at a database as something that the installation could go on with. */
export async function checkContents(
  dataSource: DataSource,
  ring: SealingSettings['keyRing'] | Finding,
  signal: AbortSignal,
): Promise<{ readonly contents: DatabaseContents; readonly findings: readonly Finding[] }> {
  const contents = await databaseContents(dataSource);
  const standing = await pendingMigrations(dataSource);
  const findings = [judgeTables(contents.missingTables, standing), judgeBackedUpMigrations(standing)];
  if (contents.missingTables.length > 0) return { contents, findings };
  findings.push(await checkRing(dataSource, ring), await checkAudit(dataSource, signal));
  return { contents, findings };
}

/** Whether every table is there; those of later versions than the backup's come with their migrations. */
export function judgeTables(missing: readonly string[], { missing: pending }: MigrationsStanding): Finding {
  if (missing.length === 0) return fine('tables', 'all are there');
  const what = `missing: ${missing.join(', ')}`;
  if (pending.length > 0 && !missing.includes('migrations')) {
    return fine('tables', `${what}; an older version made it, and \`migrate\` makes them`);
  }
  return wrong('tables', { what, repair: 'this is no whole backup: make it of all tables, or give another', see: SEE });
}

/** Whether this version can go on with the schema; an older one it brings up to date. */
export function judgeBackedUpMigrations({ missing, later }: MigrationsStanding): Finding {
  if (later.length > 0) {
    return wrong('migrations', {
      what: `a later version made it: ${later.length} migrations are not known here, such as ${later[0]}`,
      repair: 'look at it with that version, and go on with it: this one may lack what later ones rely on',
      see: SEE,
    });
  }
  if (missing.length === 0) return fine('migrations', 'they are those of this version');
  return fine('migrations', `an older version made it: ${missing.length} are to be run, by \`migrate\` or by config`);
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
  if (broken === undefined) return fine('audit log', `${chains} chains are intact`);
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
  const ageMs = Math.max(0, now - writtenAt.getTime());
  const told = `${what} at ${writtenAt.toISOString()}, ${inWords(ageMs)} ago`;
  if (ageMs <= maxAgeMs) return fine('age', told);
  return wrong('age', {
    what: `${told}: more than ${inWords(maxAgeMs)}`,
    repair: 'look whether backups are still made, and whether config ran then; --max-age says how old one may be',
    see: SEE,
  });
}

/** To the minute. */
export const inWords = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  return minutes === 0 ? 'less than a minute' : formatDuration(minutes * 60_000);
};

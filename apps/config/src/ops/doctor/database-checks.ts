import type { KeyRing } from '@form-webhooks/domain';
import {
  databaseNow,
  deliveryPauses,
  keysThatDoNotOpen,
  outboxBacklog,
  pendingMigrations,
  schemaLack,
  secretsByKey,
  type DataSource,
  type DeliveryPause,
  type MigrationsStanding,
} from '@form-webhooks/storage';
import { counted } from '../../counted.js';
import { nameOf } from '../commands/pause.js';
import { fine, wrong, type Finding } from './finding.js';
import { checkLog, type Retention } from './log-checks.js';
import { databaseVersion } from './version-checks.js';
import { checkWrites } from './write-check.js';

/** What a clock may differ, beside the time that asking takes. */
const CLOCK_TOLERANCE_MS = 5_000;
/** Config publishes what waits there within a second. */
const OUTBOX_PATIENCE_S = 60;
/** Of more only the number is told. */
const PAUSES_NAMED = 20;

/** How the database is: its schema, its clock, what waits in it, and whether the key ring opens what is stored. */
export async function checkDatabase(
  dataSource: DataSource,
  ring: KeyRing | Finding,
  retention: Retention,
): Promise<Finding[]> {
  const answers = fine('database', `${await databaseVersion(dataSource)} answers`);
  const { rights } = await schemaLack(dataSource);
  if (rights.length > 0) return [answers, judgeRights(rights)];
  const standing = await pendingMigrations(dataSource);
  const findings = [answers, judgeMigrations(standing), await checkClock(dataSource)];
  findings.push(await checkWrites(dataSource));
  // Of a schema that is not there or old nothing else can be asked.
  if (standing.missing.length > 0) return findings;
  findings.push(...(await checkLog(dataSource, retention)), judgeOutbox(await outboxBacklog(dataSource.manager)));
  findings.push(judgePauses(await deliveryPauses(dataSource.manager)));
  return [...findings, await checkKeys(dataSource, ring)];
}

async function checkKeys(dataSource: DataSource, ring: KeyRing | Finding): Promise<Finding> {
  if ('verdict' in ring) return ring;
  return judgeKeys(await secretsByKey(dataSource), ring, await keysThatDoNotOpen(dataSource, ring));
}

async function checkClock(dataSource: DataSource): Promise<Finding> {
  const asked = Date.now();
  const there = (await databaseNow(dataSource.manager)).getTime();
  return judgeClock(there, asked, Date.now());
}

/** Whether the schema is that of this version. */
export function judgeMigrations({ missing, later }: MigrationsStanding): Finding {
  if (missing.length > 0) {
    return wrong('migrations', {
      what: `the schema lacks ${counted(missing.length, 'migration', 'migrations')}, the first of them ${missing[0]}`,
      repair: '`npm run ops -- migrate`; with MIGRATION=at_start config of this version does it at its start',
      see: 'docs/how-to-change.md#the-schema',
    });
  }
  if (later.length > 0) return fine('migrations', `the schema is of a later version, which this one can work with`);
  return fine('migrations', 'the schema is up to date');
}

/** What config's role lacks of what it needs to read and write. */
export function judgeRights(missing: readonly string[]): Finding {
  return wrong('rights', {
    what:
      `the role in DATABASE_URL lacks ${counted(missing.length, 'right', 'rights')} in the database, ` +
      `the first of them ${missing[0]}`,
    repair: '`npm run ops -- migrate` as the owner of the tables, with DATABASE_RUNTIME_ROLE; it gives them',
    see: 'docs/deployment.md#two-roles-in-the-database',
  });
}

/** Whether this machine's clock and the database's agree; the moments in ms since the epoch. */
export function judgeClock(there: number, asked: number, answered: number): Finding {
  const off = there < asked ? there - asked : Math.max(0, there - answered);
  if (Math.abs(off) <= CLOCK_TOLERANCE_MS) return fine('clock', "this machine's clock and the database's agree");
  const seconds = Math.round(Math.abs(off) / 1_000);
  return wrong('clock', {
    what: `the database's clock is ${seconds} s ${off > 0 ? 'ahead of' : 'behind'} this machine's`,
    repair: 'set the wrong one right (chrony, ntp); nothing is lost, but times, timestamps and retention go by clocks',
    see: 'docs/operations.md#clocks',
  });
}

/** Whether an operator holds deliveries back. A pause that was forgotten is an outage, and nothing else lists them. */
export function judgePauses(pauses: readonly DeliveryPause[]): Finding {
  const [first, ...rest] = pauses.slice(0, PAUSES_NAMED);
  if (first === undefined) return fine('pauses', 'no deliveries are held back');
  const others = pauses.length - PAUSES_NAMED;
  const named = [
    `${nameOf(first)} are held back since ${first.since.toISOString()}`,
    ...rest.map((pause) => `${nameOf(pause)} since ${pause.since.toISOString()}`),
    ...(others > 0 ? [`and ${counted(others, 'other', 'others')}`] : []),
  ];
  return wrong('pauses', {
    what: named.join(', '),
    repair:
      '`npm run ops -- resume` with --all, --form, or --form and --endpoint, once the reason for the pause is gone',
    see: 'docs/ops.md#pause-resume',
  });
}

/** Whether what config has to publish goes out. */
export function judgeOutbox({
  rows,
  oldestSeconds,
}: {
  readonly rows: number;
  readonly oldestSeconds: number;
}): Finding {
  const waiting = `${counted(rows, 'message waits', 'messages wait')} to be published`;
  if (oldestSeconds <= OUTBOX_PATIENCE_S) return fine('outbox', waiting);
  return wrong('outbox', {
    what: `${waiting}, the oldest for ${Math.round(oldestSeconds)} s`,
    repair: 'config publishes them: start it; if it runs, the broker is away or blocks, see what is said of it',
    see: 'docs/troubleshooting.md#the-broker-blocks-publishing',
  });
}

/** Whether the ring opens what is stored. */
export function judgeKeys(
  stored: ReadonlyMap<string, number>,
  ring: Pick<KeyRing, 'holds'>,
  closed: readonly string[],
): Finding {
  const lacking = [...stored.keys()].filter((keyId) => !ring.holds(keyId));
  const see = 'docs/operations.md#keys-and-secrets';
  if (lacking.length > 0) {
    const list = lacking.map((keyId) => `"${keyId}" (${counted(stored.get(keyId)!, 'secret', 'secrets')})`).join(', ');
    return wrong('key ring', {
      what: `SECRET_KEYS lacks keys that seal stored secrets: ${list}`,
      repair: 'put them back behind the first key, in config and dispatchers; then `npm run ops -- keys rotate`',
      see,
    });
  }
  if (closed.length > 0) {
    return wrong('key ring', {
      what: `SECRET_KEYS has other bytes under ${closed.join(', ')} than what sealed the stored secrets`,
      repair: 'restore the ring that was backed up; without it each endpoint needs a new secret',
      see,
    });
  }
  return fine('key ring', `it opens the stored secrets, of ${counted(stored.size, 'key', 'keys')}`);
}

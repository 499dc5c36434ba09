import {
  databaseNow,
  dayOf,
  daysUnderWay,
  isStatementCancelled,
  lockRoom,
  LogPartitions,
  measureLog,
  retainedDays,
  type DataSource,
  type LockRoom,
  type LogDay,
  type LogMeasurement,
} from '@form-webhooks/storage';
import { counted } from '../../counted.js';
import type { RetentionSettings } from '../../retention/retention-settings.js';
import { fine, unknown, warning, wrong, type Finding } from './finding.js';

type LogRetention = Pick<RetentionSettings, 'days' | 'holdDays'>;
/** How long days of the log are kept; what is wrong with the settings, if they can't be read. */
export type Retention = LogRetention | Finding;

const DAY_MS = 86_400_000;
/** Config drops days every ten minutes. */
const DROP_PATIENCE_MS = 3_600_000;
/** As the alert has it: what waits for a turn or for a retry is not due before. */
const OVERDUE_PATIENCE_S = 900;
/** As many as calls of the API can make in one replica (`DATABASE_POOL_SIZE` by default). */
const SEARCHES_AT_A_TIME = 16;
const DEFAULT_LOCKS = 64;

/** How the delivery log is: its days, and what waits on them longer than it should. */
export async function checkLog(dataSource: DataSource, retention: Retention): Promise<Finding[]> {
  const now = (await databaseNow(dataSource.manager)).getTime();
  const days = await new LogPartitions(dataSource).standing();
  const late =
    'verdict' in retention ? retention : await checkLateDays(dataSource, lateDays(days, now, retention), retention);
  return [judgeDays(days, now), late, judgeLocks(await lockRoom(dataSource)), ...(await checkDeliveries(dataSource))];
}

async function checkLateDays(dataSource: DataSource, late: LateDays, retention: LogRetention): Promise<Finding> {
  const runner = dataSource.createQueryRunner();
  try {
    return judgeLateDays(late, await daysUnderWay(runner, late.holdable), retention);
  } finally {
    await runner.release();
  }
}

/** Counts within bounds, and is given up where even that takes the database too long. */
async function checkDeliveries(dataSource: DataSource): Promise<Finding[]> {
  try {
    const log = await dataSource.transaction((tx) => measureLog(tx));
    return [judgeOverdue(log), judgeSecrets(log)];
  } catch (error) {
    if (!isStatementCancelled(error)) throw error;
    return [unknown('deliveries', 'PostgreSQL was too slow to tell what is open and overdue')];
  }
}

/** Whether the log has tables for what is accepted now and next. */
export function judgeDays(standing: ReadonlySet<string>, now: number): Finding {
  const missing = [dayOf(now), dayOf(now + DAY_MS)].filter((day) => !standing.has(day));
  if (missing.length === 0) return fine('log days', 'the log has its tables for today and tomorrow');
  return wrong('log days', {
    what: `the log has no tables for ${missing.join(' and ')}`,
    repair: 'start config, which makes them every ten minutes; if it runs, its log says what refuses it',
    see: 'docs/operations.md#retention-and-backups',
  });
}

/** Days that should have gone. */
export interface LateDays {
  readonly late: readonly LogDay[];
  /** Those of them that config holds if something on them is under way. */
  readonly holdable: readonly LogDay[];
}

/** @param now by the database's clock, ms since the epoch */
export function lateDays(standing: ReadonlySet<LogDay>, now: number, { days, holdDays }: LogRetention): LateDays {
  const since = now - DROP_PATIENCE_MS;
  const late = [...standing].filter((day) => day < retainedDays(since, days).first).sort();
  const heldFrom = retainedDays(since, days + holdDays).first;
  return { late, holdable: late.filter((day) => day >= heldFrom) };
}

/** Whether days of the log go when their retention ends. @param underWay days on which something has not ended */
export function judgeLateDays(
  { late, holdable }: LateDays,
  underWay: ReadonlySet<LogDay>,
  { days, holdDays }: LogRetention,
): Finding {
  const [oldest] = late;
  if (oldest === undefined) return fine('old log days', `none is kept for more than ${days} days`);
  const kept = counted(late.length, 'day of the log is kept', 'days of the log are kept');
  const what = `${kept} past LOG_RETENTION_DAYS (${days}), the oldest ${oldest}`;
  if (late.every((day) => holdable.includes(day) && underWay.has(day))) {
    return warning('old log days', {
      what: `${what}: deliveries on them are not final, or wait for a replay`,
      repair: `nothing at once: they go when those have ended, and after LOG_HOLD_DAYS (${holdDays}) in any case`,
      see: 'docs/operations.md#retention-and-backups',
    });
  }
  return wrong('old log days', {
    what,
    repair:
      'config drops them each ten minutes; if they stay, its log says why: a clock, or too many at once. If config ' +
      'has another LOG_RETENTION_DAYS than this command, give it the same',
    see: 'docs/troubleshooting.md#no-day-of-the-log-is-dropped',
  });
}

/** Whether PostgreSQL has room for the locks of calls that search all days of the log at the same time. */
export function judgeLocks({ perConnection, connections, perSearch }: LockRoom): Finding {
  const needed = SEARCHES_AT_A_TIME * perSearch;
  if (perConnection * connections >= needed) return fine('locks', 'there is room for those of all days of the log');
  const enough = Math.ceil(needed / connections / DEFAULT_LOCKS) * DEFAULT_LOCKS;
  return warning('locks', {
    what:
      `a search over all days of the log takes ${perSearch} locks: ${SEARCHES_AT_A_TIME} of them may find no room, and ` +
      'whoever writes the log meanwhile neither ("out of shared memory")',
    repair: `max_locks_per_transaction = ${enough} for each replica of config, and restart PostgreSQL`,
    see: 'docs/operations.md#scaling',
  });
}

/** Whether a delivery should have got further, and no record tells of it. */
export function judgeOverdue({ overdueSeconds }: Pick<LogMeasurement, 'overdueSeconds'>): Finding {
  if (overdueSeconds <= OVERDUE_PATIENCE_S) return fine('overdue deliveries', 'none has been due for long');
  return wrong('overdue deliveries', {
    what: `one has been due for ${Math.round(overdueSeconds / 60)} minutes, and no record tells of it`,
    repair:
      'see what is said here of consumers and of what is parked; if nothing, the log is behind ' +
      '(`config.delivery-log` is long), or it was lost: the reconciler publishes it again',
    see: 'docs/troubleshooting.md#deliveries-are-overdue',
  });
}

/** Whether deliveries wait for a secret or a header's value that no dispatcher can open. */
export function judgeSecrets({ open }: Pick<LogMeasurement, 'open'>): Finding {
  const waiting = open
    .filter(({ waitsFor }) => waitsFor === 'secret_unreadable')
    .reduce((sum, { deliveries }) => sum + deliveries, 0);
  if (waiting === 0) return fine('secrets', 'no open delivery waits for one that does not open');
  const told = counted(waiting, 'open delivery waits', 'open deliveries wait');
  return wrong('secrets', {
    what: `${told} for a secret or a header's value that does not open (secret_unreadable)`,
    repair:
      "the dispatchers' log names the endpoint: give them config's SECRET_KEYS; if they have them, its owner has to " +
      'regenerate the secret, or set the header anew',
    see: 'docs/troubleshooting.md#deliveries-fail-or-wait',
  });
}

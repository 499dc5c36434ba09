import { lookAtQueue, parkedQueues, QUEUES, WORK_QUEUES, type Broker } from '@form-webhooks/broker';
import {
  databaseNow,
  deliveryPauses,
  measureLog,
  pendingMigrations,
  type DatabaseContents,
  type DataSource,
} from '@form-webhooks/storage';
import { RetentionSettings } from '../../retention/retention-settings.js';
import { withBroker, withDatabase } from '../connect.js';
import { judgeClock, judgeMigrations, judgePauses } from '../doctor/database-checks.js';
import { ringOf, told } from '../doctor/examine.js';
import { fine, unknown, type Finding } from '../doctor/finding.js';
import { concludeWith } from '../doctor/finding-lines.js';
import type { OpsCall, OpsCommand } from '../ops-command.js';
import { checkContents } from './contents-checks.js';
import { judgeConfigStopped, judgeRestoredAt, tellGap, tellOpen, tellWaiting } from './restore-judgements.js';

/** The whole audit log is read. */
const DATABASE_WITHIN_MS = 30 * 60_000;

/** May config be started on the database that was just restored, and what happens then? */
export const CHECK_RESTORE: OpsCommand = {
  name: 'restore check',
  takes: [],
  summary: 'after a restore, before config starts: may it, and what becomes of the deliveries since the backup?',
  notes: [
    'Give it the environment that config will have, RESTORED_AT included. It changes nothing.',
    'See docs/operations.md#retention-and-backups',
  ],
  async run(call) {
    const { restoredAt } = call.installation.settings(RetentionSettings);
    const look = (dataSource: DataSource): Promise<Finding[]> => lookAt(call, dataSource, restoredAt);
    const looks = [
      told('database', () => withDatabase(call.installation, look), DATABASE_WITHIN_MS),
      told('broker', () => withBroker(call.installation, lookAtBroker)),
    ];
    const findings = (await Promise.all(looks)).flat();
    return concludeWith(call, findings);
  },
};

async function lookAt(call: OpsCall, dataSource: DataSource, restoredAt: number | null): Promise<Finding[]> {
  const asked = Date.now();
  const now = (await databaseNow(dataSource.manager)).getTime();
  const clock = judgeClock(now, asked, Date.now());
  const { contents, findings } = await checkContents(dataSource, ringOf(call.installation), call.signal);
  const current = judgeMigrations(await pendingMigrations(dataSource));
  const others = findings.filter(({ check }) => check !== 'migrations');
  const restored = judgeRestoredAt(restoredAt, contents.writtenAt, now);
  return [clock, current, ...others, restored, ...(await tellFuture(dataSource, contents, now, current))];
}

async function tellFuture(
  dataSource: DataSource,
  contents: DatabaseContents,
  now: number,
  migrations: Finding,
): Promise<Finding[]> {
  const gap = tellGap(contents.writtenAt, now);
  if (migrations.verdict !== 'fine') return [gap, unknown('open deliveries', 'they are counted once it is migrated')];
  const log = await dataSource.transaction((tx) => measureLog(tx));
  const open = log.open.reduce((sum, { deliveries }) => sum + deliveries, 0);
  return [gap, tellOpen(open, log.openCut), judgePauses(await deliveryPauses(dataSource.manager))];
}

async function lookAtBroker(broker: Broker): Promise<Finding[]> {
  const depths = new Map<string, number>();
  for (const queue of [
    ...WORK_QUEUES,
    QUEUES.due,
    QUEUES.largeDeliveries,
    QUEUES.largeDue,
    ...parkedQueues().map(({ parked }) => parked),
  ]) {
    depths.set(queue, (await lookAtQueue(broker, queue))?.messages ?? 0);
  }
  const calls = await lookAtQueue(broker, QUEUES.configRpc);
  return [judgeConfigStopped(calls?.consumers ?? 0), fine('broker', 'it answers'), tellWaiting(depths)];
}

import { QUEUES } from '@form-webhooks/broker';
import { counted } from '../../counted.js';
import { fine, wrong, type Finding } from '../doctor/finding.js';
import { inWords } from './contents-checks.js';

const SEE = 'docs/operations.md#retention-and-backups';
/** What clocks may differ. */
const TOLERANCE_MS = 60_000;

/** Whether `RESTORED_AT` is the moment of this restore: after what the backup holds, and not in the future; ms. */
export function judgeRestoredAt(restoredAt: number | null, writtenAt: Date | null, now: number): Finding {
  const repair = `set RESTORED_AT=${new Date(now).toISOString()} in the environment of every config, and give it to this check`;
  if (restoredAt === null) {
    const what = 'it is not set: config would send again what the backup holds as open';
    return wrong('RESTORED_AT', { what, repair, see: SEE });
  }
  const told = new Date(restoredAt).toISOString();
  if (restoredAt > now + TOLERANCE_MS) {
    return wrong('RESTORED_AT', {
      what: `${told} lies in the future: nothing until then would be repaired`,
      repair,
      see: SEE,
    });
  }
  if (writtenAt !== null && restoredAt < writtenAt.getTime()) {
    const what = `${told} lies before ${writtenAt.toISOString()}, up to which this database goes: it is of an earlier restore`;
    return wrong('RESTORED_AT', { what, repair, see: SEE });
  }
  return fine('RESTORED_AT', `${told}: what began before is not sent again because it seems lost`);
}

/** Whether no config runs: one that ran while the database was replaced knows another one. */
export function judgeConfigStopped(consumers: number): Finding {
  if (consumers === 0) return fine('config', 'none runs');
  const they = counted(consumers, 'of them runs: it answers and writes', 'of them run: they answer and write');
  return wrong('config', {
    what: `${they} by what the database was before`,
    repair: 'stop every config, restore, and start them with RESTORED_AT; dispatchers and ingest may go on',
    see: SEE,
  });
}

/** What the time between backup and now is. */
export function tellGap(writtenAt: Date | null, now: number): Finding {
  if (writtenAt === null) return fine('gap', 'config has never written into this database');
  const age = inWords(Math.max(0, now - writtenAt.getTime()));
  const lost = `what was changed since ${writtenAt.toISOString()}, ${age} ago,`;
  return fine(
    'gap',
    `${lost} is not in it: forms and endpoints made since wait to be registered again (not_registered), and each erasure ` +
      'since is to be asked for again',
  );
}

/** What becomes of what the backup holds as open. */
export function tellOpen(open: number, isCut: boolean): Finding {
  if (open === 0) return fine('open deliveries', 'the backup holds none');
  return fine(
    'open deliveries',
    `the backup holds ${isCut ? 'more than ' : ''}${open}: those that the broker still has go on, those that have ended ` +
      'become what their records say, and the others fail (expired) without being sent; `replay` sends them',
  );
}

/** What the broker still has, and what config does with it. */
export function tellWaiting(depths: ReadonlyMap<string, number>): Finding {
  const records = depths.get(QUEUES.deliveryLog) ?? 0;
  const others = [...depths].filter(([queue, messages]) => messages > 0 && queue !== QUEUES.deliveryLog);
  const rest = others.map(([queue, messages]) => `${messages} in ${queue}`).join(', ');
  return fine(
    'waiting',
    `${counted(records, 'record waits', 'records wait')} for the log, to bring it up to date; ` +
      `besides ${rest === '' ? 'nothing' : rest}, and retries`,
  );
}

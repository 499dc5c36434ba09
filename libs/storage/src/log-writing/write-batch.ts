import type { DeliveryLogRecord } from '@form-webhooks/messages';
import type { Transaction } from '../database/data-source.js';
import { countDeliveries, countLatencies, type RowChange } from '../statistics/count-roll-ups.js';
import { noteFailures } from '../statistics/endpoint-failures.js';
import { countFailures } from '../statistics/failure-causes.js';
import { dayOfRow, type DeliveryRow } from '../deliveries/delivery-row.js';
import type { EndpointSwitchOff, GoneAnswer } from '../endpoints/endpoint-switch-off.js';
import { findErasedSubmissions, joinLogWriters } from '../erasure/erased-submissions.js';
import { clusterByDay, countAttempts, foldRecords } from './fold-records.js';
import type { RecordedAttempt } from '../log-tables/attempts-table.js';
import { groupBy } from '@form-webhooks/domain';
import { insertAttempts } from './insert-attempts.js';
import { insertEvents, removeLaterCopies } from './insert-events.js';
import { dayOf } from '../database/log-days.js';
import { isSameRow, mergeRows } from './merge-rows.js';
import { deleteDeliveries, insertDeliveries, lockDeliveries, updateDeliveries } from './store-deliveries.js';

/**
 * A batch names the rows it wants by their keys. The planner would rather read a partition from end to end while it has
 * no statistics of it, and a day's first minutes are when nobody has counted its rows: the table, or the primary key for
 * the sake of its second column. So each entry of an index is said to cost as much as many pages. The costs that result
 * say nothing of how long it takes, and would have statements compiled.
 */
const REACH_ROWS_BY_KEY = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  cpu_index_tuple_cost: '10',
  jit: 'off',
};

/** Each round another writer was faster with an insert; it has committed by then, so the next round finds its row. */
const MAX_ROUNDS = 10;

/** Another writer inserted the same deliveries again and again; the batch as a whole can simply be tried anew. */
export class OvertakenByWriter extends Error {
  override readonly name = 'OvertakenByWriter';

  constructor() {
    super('another writer inserted the same deliveries meanwhile');
  }
}

/** What a batch told besides being written. */
export interface BatchFacts {
  /** New events whose key stands for another content too. */
  readonly reusedKeys: number;
}

/**
 * Writes checked records in one transaction: events, attempts, one row per delivery, and the roll-ups of what really
 * changed. Any order and repetition of records, over any batches, ends in the same rows.
 */
export async function writeBatch(
  tx: Transaction,
  records: readonly DeliveryLogRecord[],
  switchOff: EndpointSwitchOff,
  now: number,
): Promise<BatchFacts> {
  const folded = foldRecords(records);
  await joinLogWriters(tx, REACH_ROWS_BY_KEY);
  const erased = await findErasedSubmissions(tx, records);
  const { reusedKeys } = await insertEvents(tx, folded.events, erased);
  await removeLaterCopies(tx, folded.events, dayOf(now));
  const attempts = await insertAttempts(tx, folded.attempts, erased);
  const changes = await writeDeliveries(tx, countAttempts(folded.deliveries, attempts));
  await countDeliveries(tx, changes);
  await countLatencies(tx, attempts);
  await countFailures(tx, attempts);
  await noteFailures(tx, attempts);
  // Last, since it locks an audit chain: a replay locks it after the roll-ups too, and neither waits for the other.
  const gone = goneAnswers(attempts);
  if (gone.length > 0) await switchOff.switchOff(tx, gone);
  return { reusedKeys };
}

/** Merges rows with those that stand, and writes what differs. @returns what really changed */
async function writeDeliveries(tx: Transaction, rows: readonly DeliveryRow[]): Promise<RowChange[]> {
  const done: RowChange[] = [];
  let open = rows;
  for (let round = 0; open.length > 0; round++) {
    if (round === MAX_ROUNDS) throw new OvertakenByWriter();
    const changes = mergeWith(await lockDeliveries(tx, open), open);
    const fresh = changes.filter(({ before }) => before.length === 0);
    const inserted = new Set(
      await insertDeliveries(
        tx,
        fresh.map(({ after }) => after),
      ),
    );
    const standing = changes.filter(({ before }) => before.length > 0);
    await replaceRows(tx, standing);
    done.push(...standing, ...fresh.filter(({ after }) => inserted.has(after)));
    open = fresh.map(({ after }) => after).filter((row) => !inserted.has(row));
  }
  return done;
}

/** A row keeps its place unless an earlier acceptance turned up: then it moves to that day. */
async function replaceRows(tx: Transaction, changes: readonly RowChange[]): Promise<void> {
  const stays = ({ before, after }: RowChange): boolean => before.some((row) => dayOfRow(row) === dayOfRow(after));
  const gone = changes.flatMap(({ before, after }) => before.filter((row) => dayOfRow(row) !== dayOfRow(after)));
  if (gone.length > 0) await deleteDeliveries(tx, gone);
  await updateDeliveries(
    tx,
    changes.filter(stays).map(({ after }) => after),
  );
  const moved = changes.filter((change) => !stays(change)).map(({ after }) => after);
  const placed = await insertDeliveries(tx, moved);
  if (placed.length < moved.length) throw new OvertakenByWriter();
}

function mergeWith(stored: readonly DeliveryRow[], rows: readonly DeliveryRow[]): RowChange[] {
  const isStored = new Set(stored);
  return [...groupBy([...stored, ...rows], (row) => row.identity.deliveryId).values()]
    .flatMap((group) => clusterByDay(group))
    .filter((cluster) => cluster.some((row) => !isStored.has(row)))
    .map((cluster) => ({ before: cluster.filter((row) => isStored.has(row)), after: cluster.reduce(mergeRows) }))
    .filter(({ before, after }) => !(before.length === 1 && isSameRow(before[0]!, after)));
}

function goneAnswers(attempts: readonly RecordedAttempt[]): GoneAnswer[] {
  return attempts
    .filter(({ record }) => record.reason === 'gone' && record.trigger !== 'test')
    .map(({ record, attempt }) => ({
      formId: record.formId,
      endpointId: record.endpointId,
      endpointVersion: attempt.endpointVersion,
      deliveryId: record.deliveryId,
      answeredAt: attempt.startedAt + attempt.durationMs,
    }));
}

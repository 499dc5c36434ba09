import type { DeliveryState } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';
import { conditionsOf, type DeliveryFilter } from '../deliveries/delivery-filter.js';
import type { RetainedDays } from '../database/log-days.js';
import type { ReplayJob } from './replays.js';

/** Which deliveries of a form are to be replayed. */
export interface ReplaySelection {
  readonly formId: string;
  readonly filter: DeliveryFilter;
  readonly retained: RetainedDays;
  /** More than these are not chosen: one more is enough to know that there are too many. */
  readonly limit: number;
}

/** How many deliveries a job would replay; more than the limit if there are too many. */
export async function countReplayable(tx: Transaction, selection: ReplaySelection): Promise<number> {
  const { sql, values } = selectReplayable(selection);
  const counted = (await tx.query(
    `SELECT count(*)::int AS rows, count(DISTINCT delivery_id)::int AS deliveries FROM (${sql}) d`,
    values,
  )) as [Chosen];
  return matchedOf(counted[0], selection);
}

/** Makes a job with the deliveries it is to replay. @returns how many; more than the limit if there are too many */
export async function insertReplay(
  tx: Transaction,
  job: Pick<ReplayJob, 'id' | 'workspaceId' | 'formId' | 'filter' | 'createdAt'>,
  selection: ReplaySelection,
): Promise<number> {
  await tx.query(
    `INSERT INTO replays (id, workspace_id, form_id, filter, state, matched, next_batch_at, created_at)
     VALUES ($1, $2, $3, $4, 'running', 0, $5, $5)`,
    [job.id, job.workspaceId, job.formId, JSON.stringify(job.filter), job.createdAt],
  );
  const { sql, values } = selectReplayable(selection);
  const listed = (await tx.query(listItems(sql, `$${values.length + 1}`, selection.limit), [...values, job.id])) as [
    Chosen,
  ];
  const matched = matchedOf(listed[0], selection);
  await tx.query('UPDATE replays SET matched = $2 WHERE id = $1', [job.id, matched]);
  return matched;
}

interface Chosen {
  readonly rows: number;
  /** One that was accepted again after more than a day has several rows. */
  readonly deliveries: number;
}

/** As many rows as were looked for mean that there may be more, however few deliveries they are of. */
const matchedOf = ({ rows, deliveries }: Chosen, { limit }: ReplaySelection): number =>
  rows > limit ? rows : deliveries;

/** Lists what was chosen, unless it is too much; of a delivery's rows the newest decides. */
const listItems = (chosen: string, replayId: string, limit: number): string => `
  WITH chosen AS MATERIALIZED (${chosen}), listed AS (
    INSERT INTO replay_items (replay_id, position, delivery_id, generation)
    SELECT ${replayId}, row_number() OVER (ORDER BY accepted_at, delivery_id), delivery_id, generation
    FROM (SELECT DISTINCT ON (delivery_id) * FROM chosen ORDER BY delivery_id, accepted_at DESC) d
    WHERE (SELECT count(*) FROM chosen) <= ${limit}
    RETURNING position)
  SELECT (SELECT count(*) FROM chosen)::int AS rows, (SELECT count(*) FROM listed)::int AS deliveries`;

const FINAL: readonly DeliveryState[] = ['cancelled', 'failed', 'delivered'];

/**
 * Final, not a test send, its endpoint enabled, its data not erased: what a replay of it alone would accept. The limit
 * stands beside all conditions and nothing is sorted, so that the work ends with it: `OFFSET 0` keeps the planner from a
 * join for which it would read every row first.
 */
function selectReplayable(selection: ReplaySelection): { sql: string; values: unknown[] } {
  const { conditions, values } = conditionsOf(selection.formId, selection.filter, selection.retained);
  const { states = FINAL } = selection.filter;
  const all = [
    ...conditions,
    `state IN ('${states.join(`', '`)}')`,
    `trigger <> 'test'`,
    `endpoint_id = ANY (ARRAY(
      SELECT e.id FROM endpoints e WHERE e.form_id = $1 AND e.enabled AND e.deleted_at IS NULL))`,
    `NOT EXISTS (SELECT FROM erased_submissions x
      WHERE x.form_id = d.form_id AND x.submission_id = d.submission_id OFFSET 0)`,
  ];
  const sql = `
    SELECT delivery_id, accepted_at, generation FROM deliveries d
    WHERE ${all.join(' AND ')} LIMIT ${selection.limit + 1}`;
  return { sql, values };
}

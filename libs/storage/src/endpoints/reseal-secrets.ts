import type { KeyRing, SealContext } from '@form-webhooks/domain';
import type { DataSource } from 'typeorm';

const BATCH = 100;

/** A row with something sealed in it. */
interface SealedRow {
  readonly workspace_id: string;
  readonly endpoint_id: string;
  /** What tells it from the others of its endpoint. */
  readonly own: string;
  readonly sealed: string;
}

/** Where rows are sealed: signing secrets, and values of headers. */
interface SealedTable {
  readonly name: string;
  /** The column that tells a row from the others of its endpoint. */
  readonly own: string;
  /** Behind the key's id the order of the index by which a key's rows are found. */
  readonly order: string;
  readonly contextOf: (row: SealedRow) => SealContext;
}

const TABLES: readonly SealedTable[] = [
  {
    name: 'endpoint_secrets',
    own: 'id',
    order: 'id',
    contextOf: (row) => ({ workspaceId: row.workspace_id, endpointId: row.endpoint_id, secretId: row.own }),
  },
  {
    name: 'endpoint_headers',
    own: 'name',
    order: 'endpoint_id, name',
    contextOf: (row) => ({ workspaceId: row.workspace_id, endpointId: row.endpoint_id, headerName: row.own }),
  },
];

/** How many secrets each key seals, values of headers among them. */
export async function secretsByKey(dataSource: DataSource): Promise<ReadonlyMap<string, number>> {
  const all = TABLES.map(({ name }) => `SELECT key_id FROM ${name}`).join(' UNION ALL ');
  const rows: { key_id: string; secrets: number }[] = await dataSource.query(
    `SELECT key_id, count(*)::int AS secrets FROM (${all}) sealed GROUP BY key_id ORDER BY key_id`,
  );
  return new Map(rows.map((row) => [row.key_id, row.secrets]));
}

/** The keys of which a stored secret or header's value does not open: the ring has other bytes under that id. */
export async function keysThatDoNotOpen(dataSource: DataSource, ring: KeyRing): Promise<readonly string[]> {
  const closed = new Set<string>();
  for (const table of TABLES) {
    // One of each key is enough: whoever changed a single row is found by the dispatcher that uses it.
    const rows: (SealedRow & { key_id: string })[] = await dataSource.query(
      `SELECT DISTINCT ON (key_id) key_id, workspace_id, endpoint_id, ${table.own} AS own, sealed FROM ${table.name}
       ORDER BY key_id, ${table.order}`,
    );
    for (const row of rows) if (ring.holds(row.key_id) && !opens(ring, row, table)) closed.add(row.key_id);
  }
  return [...closed];
}

function opens(ring: KeyRing, row: SealedRow, table: SealedTable): boolean {
  try {
    ring.open(row.sealed, table.contextOf(row));
    return true;
  } catch {
    return false;
  }
}

/**
 * Seals every secret and every header's value anew that another than the active key seals, a hundred to a transaction.
 * It can be stopped and started again at any moment, and run beside the service and beside itself: a row in use is
 * waited for. The secrets themselves do not change, so nobody needs to be told.
 * @param onProgress told how many are done so far
 * @param signal ends it after the batch under way
 */
export async function resealSecrets(
  dataSource: DataSource,
  ring: KeyRing,
  onProgress: (done: number) => void,
  signal?: AbortSignal,
): Promise<number> {
  let done = 0;
  for (const table of TABLES) {
    for (const keyId of await otherKeys(dataSource, ring, table)) {
      for (let resealed = BATCH; resealed > 0;) {
        resealed = await resealBatch(dataSource, ring, table, keyId);
        done += resealed;
        if (resealed > 0) onProgress(done);
        if (signal?.aborted === true) return done;
      }
    }
  }
  return done;
}

/** The keys that seal something and are not the active one. */
async function otherKeys(dataSource: DataSource, ring: KeyRing, table: SealedTable): Promise<string[]> {
  const rows: { key_id: string }[] = await dataSource.query(
    `SELECT DISTINCT key_id FROM ${table.name} WHERE key_id <> $1 ORDER BY key_id`,
    [ring.activeKeyId],
  );
  return rows.map((row) => row.key_id);
}

/** Of one key, whose rows the index has together: to look for all that other keys seal would pass by what is done. */
function resealBatch(dataSource: DataSource, ring: KeyRing, table: SealedTable, keyId: string): Promise<number> {
  return dataSource.transaction(async (tx) => {
    const rows: SealedRow[] = await tx.query(
      `SELECT workspace_id, endpoint_id, ${table.own} AS own, sealed FROM ${table.name} WHERE key_id = $1
       ORDER BY ${table.order} LIMIT ${BATCH} FOR UPDATE`,
      [keyId],
    );
    for (const row of rows) {
      const context = table.contextOf(row);
      const sealed = ring.seal(ring.open(row.sealed, context), context);
      await tx.query(`UPDATE ${table.name} SET sealed = $3, key_id = $4 WHERE endpoint_id = $1 AND ${table.own} = $2`, [
        row.endpoint_id,
        row.own,
        sealed,
        ring.activeKeyId,
      ]);
    }
    return rows.length;
  });
}

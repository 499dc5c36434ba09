import type { KeyRing } from '@form-webhooks/domain';
import type { DataSource } from 'typeorm';

const BATCH = 100;

/** How many secrets each key seals. */
export async function secretsByKey(dataSource: DataSource): Promise<ReadonlyMap<string, number>> {
  const rows: { key_id: string; secrets: number }[] = await dataSource.query(
    'SELECT key_id, count(*)::int AS secrets FROM endpoint_secrets GROUP BY key_id ORDER BY key_id',
  );
  return new Map(rows.map((row) => [row.key_id, row.secrets]));
}

/**
 * Seals every secret anew that another than the active key seals, a hundred to a transaction. It can be stopped and
 * started again at any moment, and run beside the service and beside itself: a row in use is waited for.
 * The secrets themselves do not change, so nobody needs to be told.
 * @param onProgress told how many are done so far
 */
export async function resealSecrets(
  dataSource: DataSource,
  ring: KeyRing,
  onProgress: (done: number) => void,
): Promise<number> {
  let done = 0;
  for (;;) {
    const resealed = await resealBatch(dataSource, ring);
    if (resealed === 0) return done;
    done += resealed;
    onProgress(done);
  }
}

function resealBatch(dataSource: DataSource, ring: KeyRing): Promise<number> {
  return dataSource.transaction(async (tx) => {
    const rows: Row[] = await tx.query(
      `SELECT id, workspace_id, endpoint_id, sealed FROM endpoint_secrets WHERE key_id <> $1
       ORDER BY key_id, id LIMIT ${BATCH} FOR UPDATE`,
      [ring.activeKeyId],
    );
    for (const row of rows) {
      const context = { workspaceId: row.workspace_id, endpointId: row.endpoint_id, secretId: row.id };
      const sealed = ring.seal(ring.open(row.sealed, context), context);
      await tx.query('UPDATE endpoint_secrets SET sealed = $2, key_id = $3 WHERE id = $1', [
        row.id,
        sealed,
        ring.activeKeyId,
      ]);
    }
    return rows.length;
  });
}

interface Row {
  readonly id: string;
  readonly workspace_id: string;
  readonly endpoint_id: string;
  readonly sealed: string;
}

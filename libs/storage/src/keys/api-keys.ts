import { IsNull, MoreThan } from 'typeorm';
import type { Transaction } from '../database/data-source.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { AfterRow } from '../database/after-row.js';

export type ApiKey = Readonly<ApiKeyEntity>;

export async function insertApiKey(tx: Transaction, key: ApiKey): Promise<void> {
  await tx.insert(ApiKeyEntity, key);
}

/** A key that has not been revoked; it may have expired. */
export function findApiKey(tx: Transaction, id: string): Promise<ApiKey | null> {
  return tx.findOneBy(ApiKeyEntity, { id, revokedAt: IsNull() });
}

/** The same key, which nobody revokes until the transaction has ended. */
export function holdApiKey(tx: Transaction, id: string): Promise<ApiKey | null> {
  return tx.findOne(ApiKeyEntity, { where: { id, revokedAt: IsNull() }, lock: { mode: 'for_key_share' } });
}

/** The keys of a workspace, or the service keys (null), newest first. */
export function listApiKeys(
  tx: Transaction,
  workspaceId: string | null,
  limit: number,
  after?: AfterRow,
): Promise<ApiKey[]> {
  const query = tx
    .createQueryBuilder(ApiKeyEntity, 'key')
    .where({ workspaceId: workspaceId ?? IsNull(), revokedAt: IsNull() })
    .orderBy({ 'key.createdAt': 'DESC', 'key.id': 'DESC' })
    .take(limit);
  if (after) query.andWhere('(key.createdAt, key.id) < (:createdAt, :id)', after);
  return query.getMany();
}

/** How many keys can be used now. */
export function countApiKeys(tx: Transaction, workspaceId: string | null, now: Date): Promise<number> {
  const owned = { workspaceId: workspaceId ?? IsNull(), revokedAt: IsNull() };
  return tx.countBy(ApiKeyEntity, [
    { ...owned, expiresAt: IsNull() },
    { ...owned, expiresAt: MoreThan(now) },
  ]);
}

/** @returns the key as it was, or null if there is none to revoke */
export async function revokeApiKey(
  tx: Transaction,
  workspaceId: string | null,
  id: string,
  at: Date,
): Promise<ApiKey | null> {
  const where = { id, workspaceId: workspaceId ?? IsNull(), revokedAt: IsNull() };
  const key = await tx.findOne(ApiKeyEntity, { where, lock: { mode: 'pessimistic_write' } });
  if (key) await tx.update(ApiKeyEntity, { id }, { revokedAt: at });
  return key;
}

/** Notes that keys were used, at most once a minute for each: a busy key costs no write a request. */
export async function touchApiKeys(tx: Transaction, ids: readonly string[], at: Date): Promise<void> {
  await tx.query(
    `UPDATE api_keys SET last_used_at = $2
     WHERE id = ANY($1) AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 minute')`,
    [ids, at],
  );
}

/** Hashes of the keys that were used within a day, those used last first. */
export async function hashesInUse(tx: Transaction, limit: number): Promise<string[]> {
  const rows: { hash: string }[] = await tx.query(
    `SELECT hash FROM api_keys WHERE revoked_at IS NULL AND last_used_at > now() - interval '1 day'
     ORDER BY last_used_at DESC LIMIT $1`,
    [limit],
  );
  return rows.map(({ hash }) => hash);
}

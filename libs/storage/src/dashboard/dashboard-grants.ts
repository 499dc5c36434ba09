import type { Transaction } from '../database/data-source.js';
import { DashboardGrantEntity } from './dashboard-grant.entity.js';

export type DashboardGrant = Readonly<DashboardGrantEntity>;

/** Sessions that one person can have open; the oldest end when there are more. */
const MAX_SESSIONS = 20;

export async function insertDashboardGrant(tx: Transaction, grant: DashboardGrant): Promise<void> {
  await tx.insert(DashboardGrantEntity, grant);
}

/** A code as it stands; whoever goes on with it takes it (`takeDashboardCode`). */
export const findDashboardCode = (tx: Transaction, hash: string): Promise<DashboardGrant | null> =>
  tx.findOneBy(DashboardGrantEntity, { hash, kind: 'code' });

/** Takes a code that has not expired, so that nobody can exchange it a second time; null if there is none. */
export async function takeDashboardCode(tx: Transaction, hash: string, at: Date): Promise<DashboardGrant | null> {
  const where = { hash, kind: 'code' as const };
  const code = await tx.findOne(DashboardGrantEntity, { where, lock: { mode: 'pessimistic_write' } });
  if (!code) return null;
  await tx.delete(DashboardGrantEntity, where);
  return code.expiresAt > at ? code : null;
}

/**
 * A session that has not ended. One whose key was revoked has, also where a version that did not end it revoked the key;
 * a key that is no row (the environment's) can't be.
 */
export async function findDashboardSession(tx: Transaction, hash: string): Promise<DashboardGrant | null> {
  return tx
    .createQueryBuilder(DashboardGrantEntity, 'session')
    .where(`session.hash = :hash AND session.kind = 'session' AND session.expiresAt > now()`, { hash })
    .andWhere('NOT EXISTS (SELECT FROM api_keys k WHERE k.id = session.key_id AND k.revoked_at IS NOT NULL)')
    .getOne();
}

export async function endDashboardSession(tx: Transaction, hash: string): Promise<void> {
  await tx.delete(DashboardGrantEntity, { hash, kind: 'session' });
}

/**
 * Ends what a key opened: sessions, and codes that nobody has exchanged yet. What has expired is left to
 * `dropExpiredGrants`, which takes rows in another order: the two could wait for each other.
 */
export async function endGrantsOfKey(tx: Transaction, keyId: string): Promise<void> {
  await tx.query('DELETE FROM dashboard_grants WHERE key_id = $1 AND expires_at > now()', [keyId]);
}

/** Ends a person's oldest sessions, so that their number stays bounded. */
export async function endOldestSessions(tx: Transaction, workspaceId: string, actor: string): Promise<void> {
  await tx.query(
    `DELETE FROM dashboard_grants WHERE hash IN (
       SELECT hash FROM dashboard_grants WHERE workspace_id = $1 AND actor = $2 AND kind = 'session'
       ORDER BY created_at DESC OFFSET ${MAX_SESSIONS})`,
    [workspaceId, actor],
  );
}

export async function dropExpiredGrants(tx: Transaction): Promise<void> {
  await tx.query('DELETE FROM dashboard_grants WHERE expires_at <= now()');
}

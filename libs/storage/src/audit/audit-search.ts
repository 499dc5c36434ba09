import type { Transaction } from '../database/data-source.js';

/** What a reader of the audit log may ask for; all conditions hold together. */
export interface AuditFilter {
  readonly formId?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly from?: Date;
  readonly to?: Date;
}

export interface StoredAuditEntry {
  readonly seq: number;
  /** JSON, exactly as it was hashed. */
  readonly text: string;
  readonly hash: string;
}

/** A workspace's entries, newest first, from right before the given place in the chain. */
export async function searchAudit(
  tx: Transaction,
  workspaceId: string,
  filter: AuditFilter,
  page: { readonly limit: number; readonly beforeSeq?: number },
): Promise<StoredAuditEntry[]> {
  const parameters: unknown[] = [workspaceId, page.limit];
  const conditions = ['workspace_id = $1'];
  const where = (sql: string, value: unknown): void => {
    if (value === undefined) return;
    parameters.push(value);
    conditions.push(sql.replace('?', `$${parameters.length}`));
  };
  where('seq < ?', page.beforeSeq);
  where('form_id = ?', filter.formId);
  where('actor = ?', filter.actor);
  where('action = ?', filter.action);
  where('at >= ?', filter.from);
  where('at < ?', filter.to);
  const rows: { seq: string; text: string; hash: string }[] = await tx.query(
    `SELECT seq, text, hash FROM audit_entries WHERE ${conditions.join(' AND ')} ORDER BY seq DESC LIMIT $2`,
    parameters,
  );
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

import { createHash } from 'node:crypto';
import { randomId } from '@form-webhooks/domain';
import type { Transaction } from '../database/data-source.js';

/** The chain of what belongs to no workspace, such as service keys. No workspace id can read so. */
export const NO_WORKSPACE = '-';

/** Who did something: a key, a person by a token, an operator beside the API, or the system itself. */
export interface Actor {
  /** `key:key_…`, `user:<sub>`, `operator` or `system`. */
  readonly actor: string;
  readonly keyId: string | null;
  readonly ip: string | null;
}

/** Nobody asked for it just then: a duty that runs by itself, or what an answer of a receiver leads to. */
export const SYSTEM: Actor = { actor: 'system', keyId: null, ip: null };

/** Whoever has the database's own access; which person that is, nothing here can vouch for. */
export const OPERATOR: Actor = { actor: 'operator', keyId: null, ip: null };

/** One field that changed. A secret's value is never given, only that it changed. */
export interface FieldChange {
  readonly field: string;
  readonly old?: unknown;
  readonly new?: unknown;
}

/** What is written of a security-relevant change. Never a payload, a secret, or personal data beyond actor and IP. */
export interface AuditEvent {
  readonly workspaceId: string;
  /** Past tense after a dot: `endpoint.created`, `secret.regenerated`. */
  readonly action: string;
  readonly formId: string | null;
  readonly target: { readonly type: string; readonly id: string };
  readonly changes?: readonly FieldChange[];
}

/** The hash of a link: over the hash before it and the exact stored text, so that no canonical form is needed. */
export const chainHash = (previous: string, text: string): string =>
  createHash('sha256').update(previous, 'utf8').update(text, 'utf8').digest('hex');

/**
 * Appends an entry to its workspace's chain, in the transaction of the change that it tells of. The chain's head stays
 * locked until that transaction ends: call it last, after every other lock.
 */
export async function appendAudit(tx: Transaction, by: Actor, event: AuditEvent, at: Date): Promise<void> {
  const head = await lockHead(tx, event.workspaceId);
  const id = randomId('aud');
  const seq = head.seq + 1;
  const text = JSON.stringify({
    id,
    workspace_id: event.workspaceId,
    seq,
    at: at.toISOString(),
    actor: by.actor,
    key_id: by.keyId,
    ip: by.ip,
    action: event.action,
    form_id: event.formId,
    target: event.target,
    changes: event.changes ?? [],
  });
  const hash = chainHash(head.hash, text);
  await tx.query(
    `INSERT INTO audit_entries (workspace_id, seq, id, at, actor, action, form_id, text, hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [event.workspaceId, seq, id, at, by.actor, event.action, event.formId, text, hash],
  );
  await tx.query('UPDATE audit_heads SET seq = $2, hash = $3 WHERE workspace_id = $1', [event.workspaceId, seq, hash]);
}

async function lockHead(tx: Transaction, workspaceId: string): Promise<{ seq: number; hash: string }> {
  await tx.query(
    `INSERT INTO audit_heads (workspace_id, seq, hash) VALUES ($1, 0, '') ON CONFLICT (workspace_id) DO NOTHING`,
    [workspaceId],
  );
  const heads: { seq: string; hash: string }[] = await tx.query(
    'SELECT seq, hash FROM audit_heads WHERE workspace_id = $1 FOR UPDATE',
    [workspaceId],
  );
  return { seq: Number(heads[0]!.seq), hash: heads[0]!.hash };
}

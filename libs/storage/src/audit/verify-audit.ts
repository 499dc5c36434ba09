import type { DataSource } from 'typeorm';
import { chainHash } from './audit-trail.js';

const PAGE = 1_000;

/** What is wrong with a workspace's chain, at its first broken link. */
export interface BrokenChain {
  readonly workspaceId: string;
  readonly seq: number;
  readonly what: string;
}

export interface VerifiedChain {
  readonly workspaceId: string;
  readonly entries: number;
  /** The hash of the last entry: kept outside the database, it proves later that nothing before it was changed. */
  readonly head: string;
}

/** How far a chain was at an earlier verification, and how it ended. */
export type KnownHead = Pick<VerifiedChain, 'entries' | 'head'>;

/** Up to where a chain goes, or has been read, and the hash there. */
interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

interface Row {
  readonly workspace_id: string;
  readonly seq: string;
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly form_id: string | null;
  readonly text: string;
  readonly hash: string;
}

/** The workspaces that have a chain, or entries without one. */
export async function auditedWorkspaces(dataSource: DataSource): Promise<string[]> {
  const rows: { workspace_id: string }[] = await dataSource.query(
    `SELECT workspace_id FROM audit_heads UNION SELECT DISTINCT workspace_id FROM audit_entries ORDER BY workspace_id`,
  );
  return rows.map((row) => row.workspace_id);
}

/**
 * Reads a workspace's chain from its first entry to its last and recomputes every hash, a page at a time. It finds what
 * the triggers could not refuse because someone had switched them off: changed, removed, moved and added entries.
 * Whoever recomputes the whole chain after a change is found out by a head that was known before.
 */
export async function verifyAuditChain(
  dataSource: DataSource,
  workspaceId: string,
  known?: KnownHead,
): Promise<VerifiedChain | BrokenChain> {
  // The head first: entries that are written while we read only lie behind it.
  const stored = await readHead(dataSource, workspaceId);
  const head = stored ?? { seq: 0, hash: '' };
  let last: ChainEnd = { seq: 0, hash: '' };
  let atHead = '';
  for (;;) {
    const rows: Row[] = await dataSource.query(
      `SELECT * FROM audit_entries WHERE workspace_id = $1 AND seq > $2 ORDER BY seq LIMIT ${PAGE}`,
      [workspaceId, last.seq],
    );
    for (const row of rows) {
      const what = faultOf(row, last);
      if (what) return { workspaceId, seq: last.seq + 1, what };
      last = { seq: Number(row.seq), hash: row.hash };
      if (last.seq === head.seq) atHead = last.hash;
      if (last.seq === known?.entries && last.hash !== known.head) {
        return {
          workspaceId,
          seq: last.seq,
          what: 'it or one before it is not what it was at the earlier verification',
        };
      }
    }
    if (rows.length < PAGE) break;
  }
  if (!stored) return { workspaceId, seq: last.seq, what: 'the chain has no head' };
  if (last.seq < head.seq) return { workspaceId, seq: last.seq + 1, what: `entries up to ${head.seq} are missing` };
  if (known && last.seq < known.entries) {
    return { workspaceId, seq: last.seq + 1, what: `entries up to ${known.entries} were there before` };
  }
  if (atHead !== head.hash) return { workspaceId, seq: head.seq, what: 'its hash is not the one that the head has' };
  return { workspaceId, entries: last.seq, head: last.hash };
}

async function readHead(dataSource: DataSource, workspaceId: string): Promise<ChainEnd | undefined> {
  const heads: { seq: string; hash: string }[] = await dataSource.query(
    'SELECT seq, hash FROM audit_heads WHERE workspace_id = $1',
    [workspaceId],
  );
  const [head] = heads;
  return head && { seq: Number(head.seq), hash: head.hash };
}

function faultOf(row: Row, last: ChainEnd): string | undefined {
  if (Number(row.seq) !== last.seq + 1) return `the entry is missing; the next one is ${row.seq}`;
  if (row.hash !== chainHash(last.hash, row.text)) return 'its text or hash was changed';
  const told = JSON.parse(row.text) as Record<string, unknown>;
  const columns = {
    id: row.id,
    workspace_id: row.workspace_id,
    seq: Number(row.seq),
    at: row.at.toISOString(),
    actor: row.actor,
    action: row.action,
    form_id: row.form_id,
  };
  const differing = Object.entries(columns).filter(([name, value]) => told[name] !== value);
  return differing.length === 0 ? undefined : `its column ${differing[0]![0]} differs from its text`;
}

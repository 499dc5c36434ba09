import { api, read } from '../api/client.js';
import type { AuditEntry } from '../api/queries.js';

/** What the address can say of which entries are shown, each a text. */
export type AuditSearch = Readonly<Record<string, string | undefined>>;

export interface AuditFilter {
  readonly action?: string;
  readonly actor?: string;
  readonly from?: string;
  readonly to?: string;
}

export const auditFilterOf = ({ action, actor, from, to }: AuditSearch): AuditFilter => ({
  ...(action && { action }),
  ...(actor && { actor }),
  ...(from && { from }),
  ...(to && { to }),
});

/** A page of the form's entries, newest first. */
export const listAudit = (formId: string, filter: AuditFilter, limit: number, cursor: string | undefined) =>
  read(
    api.GET('/v1/audit-log', {
      params: { query: { form_id: formId, limit, ...filter, ...(cursor !== undefined && { cursor }) } },
    }),
  );

/** What entries come to as rows of a file. */
export const AUDIT_COLUMNS = [
  ...['at', 'actor', 'ip', 'action', 'target_type', 'target_id', 'changes', 'key_id', 'seq', 'id', 'hash'],
] as const;

export const auditRowOf = (entry: AuditEntry): string[] => [
  ...[entry.at, entry.actor, entry.ip ?? '', entry.action, entry.target.type, entry.target.id],
  ...[JSON.stringify(entry.changes), entry.key_id ?? '', String(entry.seq), entry.id, entry.hash],
];

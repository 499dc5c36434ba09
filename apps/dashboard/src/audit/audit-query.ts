import { api, read } from '../api/client.js';
import type { AuditEntry } from '../api/queries.js';
import type { AuditFilter } from './audit-filter.js';

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

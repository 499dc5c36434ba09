import type { DataSource } from 'typeorm';
import type { EndpointSnapshot } from '@form-webhooks/messages';

/** What a dispatcher is told of a form. */
export interface FormSnapshot {
  readonly registered: boolean;
  readonly deleted: boolean;
  readonly workspaceId: string | null;
  /** An operator holds its deliveries back, or all. */
  readonly paused: boolean;
  readonly endpoints: readonly EndpointSnapshot[];
  readonly erasedSubmissions: readonly string[];
  /** There were more of them than the limit. */
  readonly erasuresCutOff: boolean;
}

interface Row {
  readonly erased: string[] | null;
  readonly workspace_id: string;
  readonly deleted: boolean;
  readonly paused: boolean;
  readonly endpoints: EndpointSnapshot[] | null;
}

/*
 * One statement and one row, put together by PostgreSQL: dispatchers ask this often, and a hydrated object per
 * endpoint and secret would cost more than the query.
 */
const SNAPSHOT = `
  SELECT form.workspace_id, form.deleted_at IS NOT NULL AS deleted, EXISTS (
    SELECT FROM delivery_pauses pause WHERE pause.form_id IN ('', form.id) AND pause.endpoint_id = ''
  ) AS paused, (
    SELECT json_agg(json_build_object(
      'id', endpoint.id, 'url', endpoint.url, 'enabled', endpoint.enabled, 'events', endpoint.events,
      'version', endpoint.version, 'retry_statuses', endpoint.retry_statuses,
      'redirect_is_success', nullif(endpoint.redirect_is_success, false), 'rate_limit', endpoint.rate_limit,
      'retry_schedule', endpoint.retry_schedule, 'paused', nullif(EXISTS (
        SELECT FROM delivery_pauses pause WHERE pause.form_id = form.id AND pause.endpoint_id = endpoint.id
      ), false), 'secrets', (
        SELECT json_agg(json_build_object(
          'id', secret.id, 'sealed', secret.sealed,
          'expires_at', floor(extract(epoch FROM secret.expires_at) * 1000)::bigint
        ) ORDER BY secret.state, secret.expires_at DESC, secret.id)
        FROM endpoint_secrets secret
        WHERE secret.endpoint_id = endpoint.id
          AND (secret.state = 'current' OR (secret.state = 'previous' AND secret.expires_at > now()))
      ), 'headers', (
        SELECT json_agg(json_build_object('name', header.name, 'sealed', header.sealed) ORDER BY header.name)
        FROM endpoint_headers header WHERE header.endpoint_id = endpoint.id
      )
    ) ORDER BY endpoint.created_at, endpoint.id)
    FROM endpoints endpoint WHERE endpoint.form_id = form.id AND endpoint.deleted_at IS NULL
  ) AS endpoints, (
    SELECT json_agg(latest.submission_id) FROM (
      SELECT erased.submission_id FROM erased_submissions erased
      WHERE erased.form_id = form.id ORDER BY erased.requested_at DESC LIMIT $2
    ) latest
  ) AS erased
  FROM forms form WHERE form.id = $1`;

const NOT_REGISTERED: FormSnapshot = {
  registered: false,
  deleted: false,
  workspaceId: null,
  paused: false,
  endpoints: [],
  erasedSubmissions: [],
  erasuresCutOff: false,
};

/**
 * A form's endpoints with their sealed secrets, the signing one first, and headers; its submissions erased last,
 * however long ago: an event of one that was erased years before may come today.
 */
export async function snapshotForm(
  dataSource: DataSource,
  formId: string,
  erasuresLimit: number,
): Promise<FormSnapshot> {
  // One more than is listed tells whether the list is complete.
  const rows: Row[] = await dataSource.query(SNAPSHOT, [formId, erasuresLimit + 1]);
  const form = rows[0];
  if (!form) return NOT_REGISTERED;
  const { deleted, paused, workspace_id: workspaceId } = form;
  const base = { deleted, paused, workspaceId, ...listed(form.erased ?? [], erasuresLimit) };
  if (form.deleted) return { ...base, registered: false, endpoints: [] };
  return { ...base, registered: true, endpoints: form.endpoints ?? [] };
}

const listed = (
  erased: readonly string[],
  limit: number,
): Pick<FormSnapshot, 'erasedSubmissions' | 'erasuresCutOff'> => ({
  erasedSubmissions: erased.slice(0, limit),
  erasuresCutOff: erased.length > limit,
});

import type { Endpoint, FieldChange } from '@form-webhooks/storage';
import type { Change } from '../changes/change.js';

/** What the audit log tells of an endpoint, by the names that the API uses. */
const AUDITED = {
  url: 'url',
  description: 'description',
  events: 'events',
  enabled: 'enabled',
  disabledReason: 'disabled_reason',
  retryStatuses: 'retry_statuses',
  redirectIsSuccess: 'redirect_is_success',
  rateLimit: 'rate_limit',
} as const satisfies Partial<Record<keyof Endpoint, string>>;

/** The fields that differ, with both values; for a new endpoint all that it has. */
export function changedFields(before: Endpoint | undefined, after: Endpoint): FieldChange[] {
  return Object.entries(AUDITED).flatMap(([key, field]) => {
    const old: unknown = before?.[key as keyof typeof AUDITED] ?? null;
    const now: unknown = after[key as keyof typeof AUDITED];
    return JSON.stringify(old) === JSON.stringify(now) ? [] : [{ field, old, new: now }];
  });
}

export function auditEndpoint(
  change: Change,
  endpoint: Endpoint,
  action: string,
  changes: readonly FieldChange[],
): void {
  change.audit({
    workspaceId: endpoint.workspaceId,
    formId: endpoint.formId,
    action,
    target: { type: 'endpoint', id: endpoint.id },
    changes,
  });
}

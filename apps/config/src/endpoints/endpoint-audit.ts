import { showOwnSchedule } from '@form-webhooks/domain';
import type { Endpoint, FieldChange } from '@form-webhooks/storage';
import type { Change } from '../changes/change.js';

/** What the audit log tells of an endpoint, by the names that the API uses, and as it shows them. */
const audited = (endpoint: Endpoint): Readonly<Record<string, unknown>> => ({
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.events,
  enabled: endpoint.enabled,
  disabled_reason: endpoint.disabledReason,
  retry_statuses: endpoint.retryStatuses,
  redirect_is_success: endpoint.redirectIsSuccess,
  retry_schedule: showOwnSchedule(endpoint.retrySchedule),
  rate_limit: endpoint.rateLimit,
});

/** The fields that differ, with both values; for a new endpoint all that it has. */
export function changedFields(before: Endpoint | undefined, after: Endpoint): FieldChange[] {
  const had = before && audited(before);
  return Object.entries(audited(after)).flatMap(([field, now]) => {
    const old = had?.[field] ?? null;
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

import type { CancelledReason } from '@form-webhooks/domain';
import type { DeliveryMessage, EndpointSnapshot } from '@form-webhooks/messages';
import type { FormEndpoints } from '../endpoints/form-endpoints.js';

/** Whether a delivery that fell due may still be attempted, and where to. */
export type DeliveryTarget =
  | { readonly kind: 'endpoint'; readonly endpoint: EndpointSnapshot; readonly workspaceId: string }
  | { readonly kind: 'paused' }
  | { readonly kind: 'cancelled'; readonly reason: CancelledReason }
  | { readonly kind: 'not_registered'; readonly reason: CancelledReason };

/**
 * The form's present state decides, not that of the moment when the delivery was made. A test goes out to an endpoint
 * that is switched off; nothing goes out that an operator holds back. A form or an endpoint that config's database has
 * never had is not one that was deleted: it may be another database, or a restored one that is older than they are.
 */
export function targetOf(delivery: DeliveryMessage, form: FormEndpoints): DeliveryTarget {
  const endpoint = form.endpoints.get(delivery.endpointId);
  if (!form.registered && !form.deleted) return { kind: 'not_registered', reason: 'form_deleted' };
  if (form.workspaceId === null || !form.registered) return { kind: 'cancelled', reason: 'form_deleted' };
  if (form.erasedSubmissions.has(delivery.submissionId)) return { kind: 'cancelled', reason: 'submission_erased' };
  if (!endpoint) {
    const kind = form.unknownEndpoints?.has(delivery.endpointId) ? 'not_registered' : 'cancelled';
    return { kind, reason: 'endpoint_deleted' };
  }
  if (!endpoint.enabled && delivery.trigger !== 'test') return { kind: 'cancelled', reason: 'endpoint_disabled' };
  if (form.paused || endpoint.paused) return { kind: 'paused' };
  return { kind: 'endpoint', endpoint, workspaceId: form.workspaceId };
}

import type { EndpointSnapshot, FormEndpointsReply } from './rpc.js';

/**
 * What config vouches for when it answers `form_endpoints`: every word of the answer, and the form that was asked about.
 * Names are left out, the order of the parts is theirs. What few endpoints or forms have stands at the end, with its name,
 * and only where it is: a dispatcher that does not know it yet refuses no answer without it, and every answer with it.
 */
export function formEndpointsText(formId: string, reply: Omit<FormEndpointsReply, 'voucher'>): string {
  return JSON.stringify([
    'form_endpoints',
    formId,
    reply.registered,
    reply.deleted,
    reply.workspace_id,
    reply.endpoints.map(textOfEndpoint),
    reply.erased_submissions,
    reply.erasures_listed_since,
    reply.now,
    ...(reply.paused ? [['paused', reply.paused]] : []),
  ]);
}

const textOfEndpoint = (endpoint: EndpointSnapshot): unknown[] => [
  ...[endpoint.id, endpoint.url, endpoint.enabled, endpoint.events, endpoint.version],
  endpoint.secrets.map((secret) => [secret.id, secret.sealed, secret.expires_at]),
  ...(endpoint.headers ? [['headers', endpoint.headers.map(({ name, sealed }) => [name, sealed])]] : []),
  ...(endpoint.retry_statuses ? [['retry_statuses', endpoint.retry_statuses]] : []),
  ...(endpoint.redirect_is_success ? [['redirect_is_success', endpoint.redirect_is_success]] : []),
  ...(endpoint.retry_schedule ? [['retry_schedule', endpoint.retry_schedule]] : []),
  ...(endpoint.rate_limit ? [['rate_limit', endpoint.rate_limit]] : []),
  ...(endpoint.paused ? [['paused', endpoint.paused]] : []),
];

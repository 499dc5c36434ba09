import type { FormEndpointsReply } from './rpc.js';

/**
 * What config vouches for when it answers `form_endpoints`: every word of the answer, and the form that was asked about.
 * Names are left out, the order of the parts is theirs.
 */
export function formEndpointsText(formId: string, reply: Omit<FormEndpointsReply, 'voucher'>): string {
  return JSON.stringify([
    'form_endpoints',
    formId,
    reply.registered,
    reply.deleted,
    reply.workspace_id,
    reply.endpoints.map(({ id, url, enabled, events, version, secrets }) => [
      ...[id, url, enabled, events, version],
      secrets.map((secret) => [secret.id, secret.sealed, secret.expires_at]),
    ]),
    reply.erased_submissions,
    reply.erasures_listed_since,
    reply.now,
  ]);
}

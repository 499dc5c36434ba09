/** What a key or a role may do. The first two exist on service keys only. */
export const SCOPES = [
  'events:write',
  'forms:write',
  'endpoints:read',
  'endpoints:write',
  'secrets:write',
  'deliveries:read',
  'deliveries:replay',
  'payload:read',
  'data:erase',
  'audit:read',
  'keys:write',
] as const;
export type Scope = (typeof SCOPES)[number];

const SERVICE_ONLY: readonly Scope[] = ['events:write', 'forms:write'];

/** What a workspace's own keys can hold, and what its owner may do. */
export const WORKSPACE_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !SERVICE_ONLY.includes(scope));

/** What a viewer may do: everything that reads, except payloads. */
export const VIEWER_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => scope.endsWith(':read') && scope !== 'payload:read',
);

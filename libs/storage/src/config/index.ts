export { API_KEY_KINDS, type ApiKeyKind } from './api-key.entity.js';
export { DISABLED_REASONS, type DisabledReason } from './endpoint.entity.js';
export { SECRET_STATES, type SecretState } from './endpoint-secret.entity.js';
export { OUTBOX_KINDS, type OutboxKind } from './outbox-row.entity.js';

import { ApiKeyEntity } from './api-key.entity.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditHeadEntity } from './audit-head.entity.js';
import { EndpointSecretEntity } from './endpoint-secret.entity.js';
import { EndpointEntity } from './endpoint.entity.js';
import { FormEntity } from './form.entity.js';
import { IdempotentWriteEntity } from './idempotent-write.entity.js';
import { OutboxRowEntity } from './outbox-row.entity.js';
import { RateLimitEntity } from './rate-limit.entity.js';

/** The tables of the configuration: who may do what, what is to be delivered where, and what was changed by whom. */
export const CONFIG_ENTITIES = [
  FormEntity,
  EndpointEntity,
  EndpointSecretEntity,
  ApiKeyEntity,
  AuditEntryEntity,
  AuditHeadEntity,
  OutboxRowEntity,
  RateLimitEntity,
  IdempotentWriteEntity,
];

import { ApiKeyEntity } from '../keys/api-key.entity.js';
import { AuditEntryEntity } from '../audit/audit-entry.entity.js';
import { AuditHeadEntity } from '../audit/audit-head.entity.js';
import { DashboardGrantEntity } from '../dashboard/dashboard-grant.entity.js';
import { EndpointHeaderEntity } from '../endpoints/endpoint-header.entity.js';
import { EndpointSecretEntity } from '../endpoints/endpoint-secret.entity.js';
import { EndpointEntity } from '../endpoints/endpoint.entity.js';
import { FormEntity } from '../forms/form.entity.js';
import { IdempotentWriteEntity } from '../idempotency/idempotent-write.entity.js';
import { OutboxRowEntity } from '../outbox/outbox-row.entity.js';
import { RateLimitEntity } from '../access/rate-limit.entity.js';

/** The tables of the configuration: who may do what, what is to be delivered where, and what was changed by whom. */
export const CONFIG_ENTITIES = [
  FormEntity,
  EndpointEntity,
  EndpointSecretEntity,
  EndpointHeaderEntity,
  ApiKeyEntity,
  AuditEntryEntity,
  AuditHeadEntity,
  OutboxRowEntity,
  RateLimitEntity,
  IdempotentWriteEntity,
  DashboardGrantEntity,
];

export { DataSource } from 'typeorm';
export * from './access/rate-limits.js';
export * from './audit/audit-search.js';
export * from './audit/audit-trail.js';
export * from './audit/verify-audit.js';
export * from './dashboard/dashboard-grants.js';
export type { AfterRow } from './database/after-row.js';
export { checkConnectionTls } from './connections/connection-tls.js';
export * from './database/data-source.js';
export * from './database/database-clock.js';
export * from './database/database-contact.js';
export * from './database/migrate.js';
export * from './database/pending-migrations.js';
export * from './database/pool-use.js';
export * from './database/runtime-rights.js';
export * from './database/schema-lack.js';
export * from './deliveries/count-matching.js';
export type { DeliveryFilter } from './deliveries/delivery-filter.js';
export { dayOfRow, type DeliveryRow } from './deliveries/delivery-row.js';
export * from './deliveries/find-delivery.js';
export { findKnownDeliveries, type KnownStanding } from './deliveries/known-deliveries.js';
export * from './deliveries/search-deliveries.js';
export type { SecretState } from './endpoints/endpoint-secret.entity.js';
export * from './endpoints/endpoint-headers.js';
export * from './endpoints/endpoint-secrets.js';
export * from './endpoints/endpoint-switch-off.js';
export type { DisabledReason } from './endpoints/endpoint.entity.js';
export * from './endpoints/endpoints.js';
export * from './endpoints/form-snapshot.js';
export * from './endpoints/insert-test-delivery.js';
export * from './endpoints/last-deliveries.js';
export * from './endpoints/reseal-secrets.js';
export {
  eraseStored,
  finishErasure,
  isErased,
  markErased,
  unfinishedErasures,
  type SubmissionKey,
  type UnfinishedErasure,
} from './erasure/erase-submission.js';
export { findErasedAmong, type ClaimedSubmission } from './erasure/erased-submissions.js';
export type { EventRow } from './events/event-row.js';
export * from './events/find-events.js';
export * from './events/search-events.js';
export * from './events/send-event.js';
export * from './forms/forms.js';
export * from './idempotency/idempotent-writes.js';
export type { ApiKeyKind } from './keys/api-key.entity.js';
export * from './keys/api-keys.js';
export * from './live/form-notices.js';
export {
  LOCKS,
  lockSubject,
  lockSubjectIfFree,
  pause,
  withLock,
  withLockIfFree,
  withLockOnceFree,
} from './locks/session-lock.js';
export * from './measurement/database-contents.js';
export * from './measurement/known-tables.js';
export * from './measurement/lock-room.js';
export * from './measurement/measure-log.js';
export * from './migrations/index-concurrently.js';
export { ATTEMPTS, shownOf, timingsIn, type ShownAttempt } from './log-tables/attempts-table.js';
export { DELIVERIES } from './log-tables/deliveries-table.js';
export type { LogPage, LogPlace } from './log-tables/search-log.js';
export { LogRefused, LogUnavailable } from './log-writing/database-errors.js';
export * from './log-writing/delivery-log-writer.js';
export { LOG_WRITE_FAILURES, LogWriteReport, type LogWriteFailure } from './log-writing/log-write-report.js';
export type { OutboxKind } from './outbox/outbox-row.entity.js';
export * from './outbox/outbox.js';
export * from './pauses/delivery-pauses.js';
export * from './reconciler/overdue-deliveries.js';
export * from './reconciler/reconciliations.js';
export * from './reconciler/republish-lost.js';
export * from './replays/choose-replay.js';
export * from './replays/replay-delivery.js';
export * from './replays/replays.js';
export * from './replays/waiting-delivery.js';
export { dayOf, retainedDays, upcomingDays, type LogDay, type RetainedDays } from './database/log-days.js';
export { ClocksDiffer, DropRefused, TooManyDays } from './retention/drop-refused.js';
export { daysUnderWay, type DayHold } from './retention/held-days.js';
export * from './retention/log-partitions.js';
export { countDeliveries, type RowChange } from './statistics/count-roll-ups.js';
export { findFailing, type FailingEndpoint } from './statistics/endpoint-failures.js';
export * from './statistics/endpoint-standing.js';
export { percentile } from './statistics/latency-bins.js';
export * from './statistics/read-stats.js';

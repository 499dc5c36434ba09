export { countDeliveries, type RowChange } from './count-roll-ups.js';
export { LogUnavailable } from './database-errors.js';
export * from './delivery-log-writer.js';
export * from './endpoint-switch-off.js';
export { dayOf, retainedDays, upcomingDays, type LogDay, type RetainedDays } from './log-days.js';
export * from './log-partitions.js';
export { LOG_WRITE_FAILURES, LogWriteReport, type LogWriteFailure } from './log-write-report.js';
export { dayOfRow, type DeliveryRow } from './delivery-row.js';
export * from './find-delivery.js';
export * from './search-deliveries.js';
export * from './insert-test-delivery.js';
export * from './replay-delivery.js';
export {
  eraseStored,
  finishErasure,
  isErased,
  markErased,
  unfinishedErasures,
  type SubmissionKey,
  type UnfinishedErasure,
} from './erase-submission.js';
export { findErasedAmong, type ClaimedSubmission } from './erased-submissions.js';
export { groupBy } from './group-by.js';
export { percentile } from './latency-bins.js';
export * from './read-stats.js';
export type { DeliveryFilter, LogPlace } from './delivery-filter.js';
export * from './choose-replay.js';
export * from './replays.js';
export * from './lost-deliveries.js';
export * from './reconciliations.js';

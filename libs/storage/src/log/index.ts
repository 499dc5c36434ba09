export { LogUnavailable } from './database-errors.js';
export * from './delivery-log-writer.js';
export * from './endpoint-switch-off.js';
export { dayOf, retainedDays, upcomingDays, type LogDay, type RetainedDays } from './log-days.js';
export * from './log-partitions.js';
export { dayOfRow, type DeliveryRow } from './delivery-row.js';
export * from './find-delivery.js';
export * from './search-deliveries.js';
export * from './insert-test-delivery.js';

export { LogUnavailable } from './database-errors.js';
export * from './delivery-log-writer.js';
export * from './endpoint-switch-off.js';
export { dayOf, retainedDays, type LogDay, type RetainedDays } from './log-days.js';
export * from './log-partitions.js';

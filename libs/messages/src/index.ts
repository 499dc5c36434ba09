export * from './config-change.js';
export * from './delivery-message.js';
export * from './event-message.js';
export * from './headers.js';
export * from './log-batch.js';
export * from './log-records.js';
export * from './rpc.js';
export { SCHEMA_VERSION } from './schema-version.js';
export * from './unreadable-message.js';

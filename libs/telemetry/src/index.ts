export * from './health.module.js';
export * from './health-server.js';
export * from './logger.js';
export * from './metrics.js';
export * from './nest-logger.js';
export * from './run-service.js';
export * from './start-service.js';
export * from './telemetry.module.js';

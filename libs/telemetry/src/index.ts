export * from './health-server.js';
export * from './logger.js';
export * from './metrics.js';
export * from './nest-logger.js';
export * from './run-service.js';

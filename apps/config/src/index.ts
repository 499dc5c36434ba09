export { createApp } from './create-app.js';
export { describeApi } from './http/openapi/documentation.js';
export { startConfig, type RunningConfig } from './start.js';
export { ConfigSettings } from './settings.js';

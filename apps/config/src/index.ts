export { startConfig, type RunningConfig } from './start.js';
export { ConfigSettings } from './settings.js';

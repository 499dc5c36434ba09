export { startIngest, type RunningIngest } from './start.js';
export { IngestSettings } from './settings.js';

export { describeApi } from './http/documentation/describe-api.js';
export { startIngest, type RunningIngest } from './start.js';
export { IngestSettings } from './settings.js';

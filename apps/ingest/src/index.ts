export { startIngest, type RunningIngest } from './ingest.js';
export { IngestSettings } from './settings.js';

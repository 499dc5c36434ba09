export { ConfigService } from './start.js';
export { ConfigSettings } from './settings.js';

export { ConfigService } from './config-service.js';
export { ConfigSettings } from './settings.js';

export * from './load-settings.js';
export * from './parsers.js';
export * from './service-settings.js';
export * from './setting.js';

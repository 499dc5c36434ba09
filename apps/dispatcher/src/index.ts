export { DispatcherModule, type DispatcherParts } from './dispatcher.module.js';
export { DispatcherSettings } from './settings.js';

export { startDispatcher, type RunningDispatcher } from './start.js';
export { DispatcherSettings } from './settings.js';

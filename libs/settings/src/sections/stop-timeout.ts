import { asDuration } from '../parsers.js';
import { Setting } from '../setting.js';

/** Declares STOP_TIMEOUT, 0 to 5m. What a stop waits for, and so for how long by default, is each app's own. */
export const StopTimeout = (meaning: string, byDefault: string): PropertyDecorator =>
  Setting({ env: 'STOP_TIMEOUT', meaning, default: byDefault, parse: asDuration(0, 300_000) });

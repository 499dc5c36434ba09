import { isStatus } from './problem.js';

/** How often is asked for what somebody watches happening, ms. */
export const WATCHED_MS = 1_000;
/** For how long after it is due an attempt is taken to happen in any moment; what waits longer can wait for hours. */
const DUE_MS = 60_000;

const OPEN_STATES: readonly string[] = ['pending', 'retrying'];
export const isOpen = (state: string): boolean => OPEN_STATES.includes(state);

interface Watched {
  readonly state: string;
  readonly accepted_at: string;
  readonly next_attempt_at: string | null;
}

/** Whether an attempt of a delivery is due just now. The first always was, also by a clock that is slow. */
function isDue({ accepted_at: accepted, next_attempt_at: next }: Watched, now: number): boolean {
  const dueFor = now - Date.parse(next ?? accepted);
  return (next === null || dueFor >= 0) && dueFor < DUE_MS;
}

/**
 * How often an open delivery is asked for, ms; false for never. Each answer with a payload is somebody's look at it, so
 * what waits is asked for no oftener than anything else on the page, and what is not there not at all.
 */
export function watchMs(
  { data, error }: { readonly data: Watched | undefined; readonly error: unknown },
  pollMs: number | false,
  now: number,
): number | false {
  if (isStatus(error, 404) || (data !== undefined && !isOpen(data.state))) return false;
  return data !== undefined && isDue(data, now) ? WATCHED_MS : pollMs;
}

import type { Session } from './session.js';

/** How long before its end a session is renewed by hand without anything being refused first, ms. */
const WARN_MS = 5 * 60_000;

type Ending = Pick<Session, 'expires_at'>;

/** How long until the end has to be told, ms; negative once that is past. */
export const untilTold = ({ expires_at: end }: Ending, now: number): number => Date.parse(end) - now - WARN_MS;

/**
 * Whether what says that the session ends may go: another has begun in its place, or it was said of one that is there
 * and lasts. One that is there, but for minutes only, still is to be renewed.
 */
export const mayForget = (found: Ending, session: Ending, now: number): boolean =>
  found.expires_at !== session.expires_at || untilTold(found, now) > 0;

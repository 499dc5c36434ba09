/** Which view an address shows: a delivery opens beside the log, so both are one. */
export const viewOf = (pathname: string): string => pathname.replace(/(\/deliveries)\/[^/]+$/, '$1');

/**
 * The form whose endpoints an address shows.
 *
 * @param own of the session, for the address without one
 * @returns undefined if it shows something else
 */
export function formShownAt(path: string, own: string): string | undefined {
  if (/^\/dashboard\/?$/.test(path)) return own;
  return /^\/dashboard\/forms\/(f_[\w-]+)(?:\/(?:endpoints\/?)?)?$/.exec(path)?.[1];
}

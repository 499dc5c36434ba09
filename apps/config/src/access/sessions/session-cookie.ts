/** What the cookie says: the session's token, which is kept nowhere but in the browser. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** Over TLS the browser itself sees to it that no other host and no plain connection sets this name. */
const nameOf = (isSecure: boolean): string => (isSecure ? '__Host-dashboard' : 'dashboard');

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';

/** The value of `Set-Cookie` that begins a session. `isSecure`: the browser speaks TLS with us. */
export const beginningCookie = (token: string, isSecure: boolean, maxAgeSeconds: number): string =>
  `${nameOf(isSecure)}=${token}; ${ATTRIBUTES}; Max-Age=${maxAgeSeconds}${isSecure ? '; Secure' : ''}`;

export const endingCookie = (isSecure: boolean): string =>
  `${nameOf(isSecure)}=; ${ATTRIBUTES}; Max-Age=0${isSecure ? '; Secure' : ''}`;

/** The token in a request's `Cookie`; undefined if none is there that could be one. */
export function sessionToken(cookies: string | undefined, isSecure: boolean): string | undefined {
  const start = `${nameOf(isSecure)}=`;
  const pair = cookies?.split(';').find((one) => one.trimStart().startsWith(start));
  const token = pair?.trim().slice(start.length);
  return token !== undefined && TOKEN_PATTERN.test(token) ? token : undefined;
}

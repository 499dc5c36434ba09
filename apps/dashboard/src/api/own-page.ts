/** The header that only our own page sends: without it no call with the session's cookie changes anything. */
export const OWN_PAGE = { 'x-dashboard': '1' };

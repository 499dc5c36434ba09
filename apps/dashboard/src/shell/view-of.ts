/** Which view an address shows: a delivery opens beside the log, so both are one. */
export const viewOf = (pathname: string): string => pathname.replace(/(\/deliveries)\/[^/]+$/, '$1');

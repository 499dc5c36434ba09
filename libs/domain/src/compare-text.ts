/** The order of two texts by code unit, as the database's collation "C" sorts ASCII. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

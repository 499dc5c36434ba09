/**
 * The least of these values that a share of them is not above (the nearest rank); NaN of none.
 * @param share above 0, at most 1
 */
export const nearestRank = (ascending: readonly number[], share: number): number =>
  ascending[Math.ceil(share * ascending.length) - 1] ?? NaN;

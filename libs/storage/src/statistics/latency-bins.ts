/** Bins of a duration per doubling: neighbours differ by 19 %, so a percentile is off by less than that. */
const BINS_PER_DOUBLING = 4;

/** The bin that counts a duration: 0 up to a millisecond, then four bins per doubling. */
export function latencyBin(durationMs: number): number {
  return durationMs <= 1 ? 0 : Math.ceil(BINS_PER_DOUBLING * Math.log2(durationMs));
}

/** The longest duration that a bin counts, in ms. */
export const binUpperBound = (bin: number): number => 2 ** (bin / BINS_PER_DOUBLING);

/**
 * The duration that a share of the counted attempts did not exceed, in ms, interpolated within its bin; null if none
 * was counted.
 */
export function percentile(counts: ReadonlyMap<number, number>, share: number): number | null {
  const bins = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const total = bins.reduce((sum, [, count]) => sum + count, 0);
  let below = 0;
  for (const [bin, count] of bins) {
    const within = share * total - below;
    if (within <= count) {
      const lower = bin === 0 ? 0 : binUpperBound(bin - 1);
      return Math.round(lower + (binUpperBound(bin) - lower) * (within / count));
    }
    below += count;
  }
  return null;
}

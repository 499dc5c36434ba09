const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Milliseconds of a duration such as `100ms`, `10s`, `5m`, `24h`, `30d`.
 * @throws RangeError that says what is wrong and what is accepted
 */
export function parseDuration(text: string): number {
  const match = /^(\d{1,16})(ms|s|m|h|d)$/.exec(text.trim());
  if (!match) throw new RangeError(`"${text}" is not a duration; write a whole number and a unit: 100ms, 10s, 5m, 24h`);
  const ms = Number(match[1]) * UNITS[match[2]!]!;
  if (!Number.isSafeInteger(ms)) throw new RangeError(`"${text}" is longer than can be counted in milliseconds`);
  return ms;
}

/** A duration as people write it: the largest unit that gives a whole number. */
export function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's']) {
    const size = UNITS[unit]!;
    if (ms >= size && ms % size === 0) return `${ms / size}${unit}`;
  }
  return `${ms}ms`;
}

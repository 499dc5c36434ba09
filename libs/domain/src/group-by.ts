/** The values by what `keyOf` says of each; groups and values stay in the order in which they came. */
export function groupBy<T, K>(values: readonly T[], keyOf: (value: T) => K): ReadonlyMap<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

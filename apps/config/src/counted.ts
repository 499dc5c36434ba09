/**
 * So many of something, in words for people: `1 message waits`, `2 messages wait`.
 * @param one what stands behind 1
 * @param several what stands behind every other count
 */
export const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;

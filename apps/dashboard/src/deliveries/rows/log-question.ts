/** A question of the log, as far as it is told of. */
interface Asked {
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

interface AskedPages extends Asked {
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => unknown;
}

/**
 * What the log tells of its questions, the head's only while it is live. Asked again is what has failed, and nothing
 * else: all pages that were scrolled to would be hundreds of calls.
 */
export function logQuestion(pages: AskedPages, head: Asked | undefined): Asked {
  const asked = head === undefined ? [pages] : [pages, head];
  // Read from where they are: for what is not read of an answer nothing is drawn anew.
  const failed = asked.filter(({ error }) => error !== null);
  return {
    error: failed[0]?.error ?? null,
    isFetching: failed.some(({ isFetching }) => isFetching),
    refetch: () =>
      failed.map((one) => (one === pages && pages.isFetchNextPageError ? pages.fetchNextPage() : one.refetch())),
  };
}

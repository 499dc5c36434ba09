import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useText } from '../text/text.js';
import { Button } from './button.js';
import { ProblemNotice } from './notice.js';

type Pages<T> = Pick<
  UseInfiniteQueryResult<T>,
  | 'data'
  | 'error'
  | 'isPending'
  | 'isFetching'
  | 'refetch'
  | 'hasNextPage'
  | 'isFetchingNextPage'
  | 'isFetchNextPageError'
  | 'fetchNextPage'
>;

/** What is to be told above a list: a further page that did not come is told where it was asked for. */
export const toldAbove = <T,>({ data, error, isPending, isFetching, refetch, isFetchNextPageError }: Pages<T>) => ({
  ...{ data, isPending, isFetching, refetch },
  error: isFetchNextPageError ? null : error,
});

/** Below a list: asks for its next page, and says there why that did not come. */
export function MorePages<T>({ pages }: { readonly pages: Pages<T> }) {
  const t = useText();
  const { error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  if (!hasNextPage) return null;
  return (
    <div className="stack">
      {isFetchNextPageError && <ProblemNotice asking="read" error={error} />}
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t('common.more')}
      </Button>
    </div>
  );
}

import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, read, type Shapes } from '../api/client.js';
import { pollMs } from '../api/live.js';
import type { Delivery } from '../api/queries.js';
import { queryOf, type DeliveryFilter } from './delivery-filter.js';
import { filledPage } from './filled-page.js';
import { mergeFresh } from './merge-fresh.js';

type Page = Shapes['DeliveryListDto'];

/** Rows of the first page, which is there sooner, and of those that are scrolled to. */
const [FIRST_PAGE, NEXT_PAGE] = [50, 100];
/** Pages that are kept at most: 100,000 deliveries are scrolled through, and no browser is to grow without end. */
const MAX_PAGES = 1_000;

const listDeliveries = (formId: string, filter: DeliveryFilter, from?: string): Promise<Page> =>
  filledPage(
    (cursor) =>
      read(
        api.GET('/v1/forms/{form_id}/deliveries', {
          params: {
            path: { form_id: formId },
            query: {
              ...queryOf(filter),
              limit: from === undefined ? FIRST_PAGE : NEXT_PAGE,
              ...(cursor !== undefined && { cursor }),
            },
          },
        }),
      ),
    from,
  );

const pagesQuery = (formId: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ['form', formId, 'deliveries', filter],
    queryFn: ({ pageParam }) => listDeliveries(formId, filter, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }, pages) => (pages.length < MAX_PAGES ? (next ?? undefined) : undefined),
    // What is new comes by the head; asking for every page again would move what somebody reads.
    staleTime: Infinity,
    refetchOnMount: (query) => (query.state.data?.pages.length ?? 0) <= 1 && 'always',
    // Else each further page would be compared with all that are there, row by row.
    structuralSharing: false,
  });

/** The log as far as it was scrolled, with what has come meanwhile waiting to be let in. */
export function useDeliveryPages(formId: string, filter: DeliveryFilter, isLive: boolean) {
  const queries = useQueryClient();
  const options = pagesQuery(formId, filter);
  const pages = useInfiniteQuery(options);
  const head = useQuery({
    queryKey: ['form', formId, 'deliveries-head', filter],
    queryFn: () => listDeliveries(formId, filter),
    refetchInterval: pollMs,
    enabled: isLive && pages.data !== undefined,
  });
  const listed = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const { rows, fresh } = useMemo(() => mergeFresh(listed, head.data?.items ?? []), [listed, head.data]);
  const letIn = (): void => {
    // More has come than the head shows: what lies between would be missing.
    if (fresh.length === head.data?.items.length) return void queries.resetQueries({ queryKey: options.queryKey });
    queries.setQueryData(options.queryKey, (data) => data && withFresh(data, fresh));
  };
  const isCut = pages.data?.pages.length === MAX_PAGES && pages.data.pages.at(-1)?.next_cursor !== null;
  return { pages, rows, fresh, letIn, isCut };
}

function withFresh<P>(data: InfiniteData<Page, P>, fresh: readonly Delivery[]): InfiniteData<Page, P> {
  const [first, ...others] = data.pages;
  if (first === undefined) return data;
  return { ...data, pages: [{ ...first, items: [...fresh, ...first.items] }, ...others] };
}

import { infiniteQueryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api, read } from '../../api/client.js';
import { pollMs } from '../../api/live.js';
import { deliveryQuery } from '../../api/queries.js';
import { queryOf, type DeliveryFilter } from '../delivery-filter.js';
import { filledPage } from './filled-page.js';
import { hasRoom, MAX_PAGES, withFresh, withSeen, type Page } from './log-rows.js';
import { mergeFresh } from './merge-fresh.js';

/** Rows of the first page, which is there sooner, and of those that are scrolled to. */
const [FIRST_PAGE, NEXT_PAGE] = [50, 100];

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
export function useDeliveryPages(
  formId: string,
  filter: DeliveryFilter,
  isLive: boolean,
  openedId: string | undefined,
) {
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
  // Nothing is new beside a log that is being read: it comes with what is newest.
  const newest = pages.data === undefined ? undefined : head.data?.items;
  const { rows, fresh } = useMemo(() => mergeFresh(listed, newest ?? []), [listed, newest]);
  // Read by who shows it: a row below the head is not read again otherwise.
  const opened = useQuery({ ...deliveryQuery(formId, openedId ?? ''), enabled: false }).data;
  useEffect(() => {
    if (pages.data === undefined || opened === undefined) return;
    const seen = withSeen(pages.data, opened);
    if (seen !== pages.data) queries.setQueryData(options.queryKey, seen);
    // Also after each page: one that was being read meanwhile comes with the rows as they were before.
  }, [opened, pages.data]);
  const letIn = (): void => {
    // More has come than the head shows: what lies between would be missing.
    const isGap = fresh.length === newest?.length;
    if (isGap || !hasRoom(pages.data?.pages.length ?? 0, listed.length, fresh.length))
      return void queries.resetQueries({ queryKey: options.queryKey });
    queries.setQueryData(options.queryKey, (data) => data && withFresh(data, fresh));
  };
  const isCut = pages.data?.pages.length === MAX_PAGES && pages.data.pages.at(-1)?.next_cursor !== null;
  return { pages, rows, fresh, letIn, isCut };
}

import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api, read } from '../../api/client.js';
import { pollMs } from '../../api/live.js';
import { deliveryQuery } from '../../api/queries.js';
import { queryOf, type DeliveryFilter } from '../delivery-filter.js';
import { filledPage } from './filled-page.js';
import { logQuestion } from './log-question.js';
import { hasRoom, MAX_PAGES, rowsOf, withHead, withSeen, type LogPage } from './log-rows.js';
import { mergeFresh } from './merge-fresh.js';
import { writeRows } from './write-rows.js';

/** Rows of the first page, which is there sooner, and of those that are scrolled to. */
const [FIRST_PAGE, NEXT_PAGE] = [50, 100];

interface Asked {
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Told when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

async function listDeliveries(formId: string, filter: DeliveryFilter, asked: Asked): Promise<LogPage> {
  const { limit, cursor, signal } = asked;
  const askedAt = Date.now();
  const query = { ...queryOf(filter), limit, ...(cursor !== undefined && { cursor }) };
  const params = { path: { form_id: formId }, query };
  return { ...(await read(api.GET('/v1/forms/{form_id}/deliveries', { params, signal }))), askedAt };
}

/** The newest page alone, however little of it was found in time: it is asked for with each change of the form. */
const headQuery = (formId: string, filter: DeliveryFilter) =>
  queryOptions({
    queryKey: ['form', formId, 'deliveries-head', filter],
    queryFn: ({ signal }) => listDeliveries(formId, filter, { limit: FIRST_PAGE, cursor: undefined, signal }),
    refetchInterval: pollMs,
  });

const pagesQuery = (formId: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ['form', formId, 'deliveries', filter],
    queryFn: ({ pageParam, signal }) => {
      const limit = pageParam === undefined ? FIRST_PAGE : NEXT_PAGE;
      return filledPage((cursor) => listDeliveries(formId, filter, { limit, cursor, signal }), pageParam);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }, pages) => (pages.length < MAX_PAGES ? (next ?? undefined) : undefined),
    // What is new comes by the head; asking for every page again would move what somebody reads.
    staleTime: Infinity,
    refetchOnMount: (query) => (query.state.data?.pages.length ?? 0) <= 1 && 'always',
    // Nor does a further page that failed make the others old.
    refetchOnWindowFocus: (query) => query.state.data === undefined,
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
  const newest = useQuery({ ...headQuery(formId, filter), enabled: isLive && pages.data !== undefined });
  const listed = useMemo(() => rowsOf(pages.data?.pages ?? []), [pages.data]);
  // Nothing is new beside a log that is being read: it comes with what is newest.
  const head = pages.data === undefined ? undefined : newest.data;
  const { rows, fresh, gone, isGap } = useMemo(
    () => mergeFresh(pages.data?.pages ?? [], listed, head),
    [pages.data, listed, head],
  );
  // Read by who shows it: a row below the head is not read again otherwise.
  const opened = useQuery({ ...deliveryQuery(formId, openedId ?? ''), enabled: false }).data;
  useEffect(() => {
    if (opened !== undefined) writeRows(queries, options.queryKey, (log) => withSeen(log, opened));
    // Also after each page: one that was being read meanwhile comes with the rows as they were before.
  }, [opened, pages.data]);
  const letIn = (): void => {
    if (head === undefined) return;
    if (isGap || !hasRoom(pages.data?.pages.length ?? 0, listed.length, fresh.length))
      return void queries.resetQueries({ queryKey: options.queryKey });
    writeRows(queries, options.queryKey, (log) => withHead(log, head));
  };
  const isCut = pages.data?.pages.length === MAX_PAGES && pages.data.pages.at(-1)?.next_cursor !== null;
  const question = logQuestion(pages, isLive ? newest : undefined);
  return { pages, question, rows, fresh: fresh.length, gone: gone.size, letIn, isCut };
}

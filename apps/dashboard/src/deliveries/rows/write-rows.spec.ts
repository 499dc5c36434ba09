import { InfiniteQueryObserver, QueryClient, type InfiniteData } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LogPage } from './log-rows.js';
import { writeRows } from './write-rows.js';

const KEY = ['form', 'f_1', 'deliveries', {}];
const OFFLINE = new Error('offline');

const page = (askedAt: number, next: string | null): LogPage => ({ items: [], next_cursor: next, askedAt });
const written = (log: InfiniteData<LogPage, string | undefined>) => ({ ...log, pages: [page(99, 'c_1')] });

let queries: QueryClient;
let answers: (() => Promise<LogPage>)[];
let leave: () => void;

beforeEach(() => {
  queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  answers = [];
});
afterEach(() => {
  leave();
  queries.clear();
});

/** A log whose first page has been read. */
async function readLog() {
  answers.push(() => Promise.resolve(page(1, 'c_1')));
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: KEY,
    queryFn: () => answers.shift()!(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }: LogPage) => next ?? undefined,
  });
  leave = observer.subscribe(() => undefined);
  await observer.refetch();
  return observer;
}

it('a further page that failed stays failed when rows are written, until it is asked for again', async () => {
  const observer = await readLog();
  answers.push(() => Promise.reject(OFFLINE));
  await observer.fetchNextPage();
  writeRows(queries, KEY, written);
  const now = observer.getCurrentResult();
  expect(now).toMatchObject({ isFetchNextPageError: true, error: OFFLINE, isFetching: false });
  expect(now.data?.pages.map(({ askedAt }) => askedAt)).toEqual([99]);
  answers.push(() => Promise.resolve(page(100, null)));
  await observer.fetchNextPage();
  const then = observer.getCurrentResult();
  expect(then).toMatchObject({ isFetchNextPageError: false, error: null, hasNextPage: false });
  expect(then.data?.pages.map(({ askedAt }) => askedAt)).toEqual([99, 100]);
});

it('rows are written into a log that was read, and into no other', async () => {
  const observer = await readLog();
  writeRows(queries, KEY, written);
  expect(observer.getCurrentResult()).toMatchObject({ status: 'success', data: { pages: [{ askedAt: 99 }] } });
  const other = ['form', 'f_2', 'deliveries', {}];
  writeRows(queries, other, written);
  expect(queries.getQueryData(other)).toBeUndefined();
});

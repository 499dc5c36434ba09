import { expect, it } from 'vitest';
import { toldAbove } from './more-pages.js';

const pages = {
  ...{ data: ['first'], isPending: false, isFetching: false, refetch: () => Promise.reject(new Error('not asked')) },
  ...{ hasNextPage: true, isFetchingNextPage: false, fetchNextPage: () => Promise.reject(new Error('not asked')) },
  error: new Error('lost'),
} as const;

it('tells of a further page that did not come below the list, where it was asked for, and not above', () => {
  expect(toldAbove({ ...pages, isFetchNextPageError: true }).error).toBeNull();
});

it('tells above the list that the list itself could not be read again', () => {
  expect(toldAbove({ ...pages, isFetchNextPageError: false })).toMatchObject({ data: ['first'], error: pages.error });
});

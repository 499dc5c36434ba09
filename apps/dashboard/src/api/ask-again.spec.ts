import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { askAgain } from './ask-again.js';

const LOG = ['form', 'f_1', 'deliveries', {}];
const HEAD = ['form', 'f_1', 'deliveries-head', {}];
const OTHER = ['form', 'f_2', 'stats', {}];

function askedAgain(formId?: string): unknown[] {
  const queries = new QueryClient();
  for (const key of [LOG, HEAD, OTHER]) queries.setQueryData(key, 'read');
  askAgain(queries, formId);
  const all = queries.getQueryCache().getAll();
  return all.filter(({ state }) => state.isInvalidated).map(({ queryKey }) => queryKey);
}

it('reads no page of a log again, however far it was scrolled', () => {
  expect(askedAgain('f_1')).toEqual([HEAD]);
  expect(askedAgain()).toEqual([HEAD, OTHER]);
});

it('asks again for a log of which nothing was read', () => {
  const queries = new QueryClient();
  const log = queries.getQueryCache().build(queries, { queryKey: LOG });
  askAgain(queries, 'f_1');
  expect(log.state.isInvalidated).toBe(true);
});

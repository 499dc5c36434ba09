import type { InfiniteData } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../api/queries.js';
import { hasRoom, rowsOf, withHead, withSeen, type LogPage } from './log-rows.js';
import { mergeFresh } from './merge-fresh.js';

const row = (id: string, state = 'pending', minute = 0): Delivery =>
  ({ delivery_id: id, state, attempt_count: 0, accepted_at: `2026-11-29T10:0${minute}:00.000Z` }) as Delivery;
const log = (...pages: Delivery[][]): InfiniteData<LogPage> => ({
  pages: pages.map((items) => ({ items, next_cursor: 'more', askedAt: 1 })),
  pageParams: pages.map(() => undefined),
});
const idsOf = ({ pages }: InfiniteData<LogPage>): string =>
  pages.map(({ items }) => items.map(({ delivery_id: id, state }) => `${id} ${state}`).join()).join(' | ');

describe('the newest page of a log', () => {
  const listed = log([row('d', 'retrying', 4), row('b', 'retrying', 2)], [row('a', 'retrying', 1)], [row('0')]);

  it('puts rows where they belong, and takes out those that match no more', () => {
    const items = [row('e', 'retrying', 5), row('c', 'retrying', 3), row('b', 'retrying', 2)];
    const after = withHead(listed, { items, next_cursor: 'more', askedAt: 2 });
    expect(idsOf(after)).toBe('e retrying,c retrying,b retrying | a retrying | 0 pending');
    expect(after.pages[1]).toBe(listed.pages[1]);
  });

  it('reaches into further pages where rows of the first match no more', () => {
    const after = withHead(listed, { items: [row('a', 'retrying', 1)], next_cursor: 'more', askedAt: 2 });
    expect(idsOf(after)).toBe('a retrying |  | 0 pending');
    expect(after.pages).toHaveLength(3);
  });

  it('ends the log where it is all of it', () => {
    const after = withHead(listed, { items: [row('c', 'retrying', 3)], next_cursor: null, askedAt: 2 });
    expect(idsOf(after)).toBe('c retrying |  | ');
    expect(after.pages.at(-1)!.next_cursor).toBeNull();
  });

  it('leaves nothing to let in once it was', () => {
    const head = { items: [row('f', 'retrying', 6), row('b', 'retrying', 2)], next_cursor: 'more', askedAt: 2 };
    const { pages } = withHead(listed, head);
    const again = mergeFresh(pages, rowsOf(pages), head);
    expect([again.fresh.length, again.gone.size]).toEqual([0, 0]);
  });
});

describe('new rows of a log', () => {
  it('find room only up to a bound, which is near while nobody has scrolled', () => {
    expect([hasRoom(1, 450, 50), hasRoom(1, 450, 51)]).toEqual([true, false]);
    expect([hasRoom(2, 99_950, 50), hasRoom(2, 99_950, 51)]).toEqual([true, false]);
  });
});

describe('the row of a delivery that is open', () => {
  it('says what the delivery says, on whichever page it is, and carries nothing else of it', () => {
    const before = log([row('b')], [row('a')]);
    const after = withSeen(before, { ...row('a', 'delivered'), payload: 'long' } as Delivery);
    expect(idsOf(after)).toBe('b pending | a delivered');
    expect(after.pages[1]!.items[0]).not.toHaveProperty('payload');
    expect(after.pages[0]).toBe(before.pages[0]);
  });

  it('leaves the log as it is where it says so already, or is not listed', () => {
    const before = log([row('b')], [row('a')]);
    expect(withSeen(before, row('a'))).toBe(before);
    expect(withSeen(before, row('x', 'failed'))).toBe(before);
  });
});

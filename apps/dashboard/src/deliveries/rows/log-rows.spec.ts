import type { InfiniteData } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../api/queries.js';
import { hasRoom, withFresh, withSeen, type Page } from './log-rows.js';

const row = (id: string, state = 'pending'): Delivery => ({ delivery_id: id, state, attempt_count: 0 }) as Delivery;
const log = (...pages: Delivery[][]): InfiniteData<Page> => ({
  pages: pages.map((items) => ({ items, next_cursor: null })),
  pageParams: pages.map(() => undefined),
});
const idsOf = ({ pages }: InfiniteData<Page>): string =>
  pages.map(({ items }) => items.map(({ delivery_id: id, state }) => `${id} ${state}`).join()).join(' | ');

describe('new rows of a log', () => {
  it('come above the others', () => {
    expect(idsOf(withFresh(log([row('b')], [row('a')]), [row('c')]))).toBe('c pending,b pending | a pending');
  });

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

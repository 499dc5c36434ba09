import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../api/queries.js';
import { rowsOf, type LogPage } from './log-rows.js';
import { mergeFresh } from './merge-fresh.js';

const row = (id: string, minute: number, state = 'delivered'): Delivery =>
  ({
    delivery_id: id,
    accepted_at: `2026-11-29T10:${String(minute).padStart(2, '0')}:00.000Z`,
    state,
  }) as Delivery;
const page = (items: Delivery[], next: string | null = null, askedAt = 1): LogPage => ({
  items,
  next_cursor: next,
  askedAt,
});
const idsOf = (rows: Iterable<Delivery>): string =>
  [...rows].map(({ delivery_id: id, state }) => `${id} ${state}`).join();

function merged(pages: LogPage[], head: LogPage | undefined) {
  const { rows, fresh, gone, isGap } = mergeFresh(pages, rowsOf(pages), head);
  return { rows: idsOf(rows), fresh: idsOf(fresh), gone: idsOf(gone), isGap };
}

describe('the newest page beside what is listed', () => {
  it('brings in what is new, and what is listed as it is now', () => {
    const listed = [page([row('c', 3, 'pending'), row('b', 2), row('a', 1)])];
    expect(merged(listed, page([row('d', 4), row('c', 3, 'failed'), row('b', 2)], 'more', 2))).toEqual({
      rows: 'c failed,b delivered,a delivered',
      fresh: 'd delivered',
      gone: '',
      isGap: false,
    });
  });

  it('tells of a row that matches no more, but of none that may stand on its next page', () => {
    const listed = [page([row('d', 4), row('c', 3), row('same', 2), row('a', 1)], 'more')];
    const head = page([row('d', 4), row('b', 2)], 'more', 2);
    expect(merged(listed, head)).toMatchObject({ gone: 'c delivered', fresh: 'b delivered' });
  });

  it('lets nothing stay that it lacks where it is the whole log, also if it is empty', () => {
    const listed = [page([row('b', 2), row('a', 1)])];
    expect(merged(listed, page([], null, 2))).toMatchObject({ gone: 'b delivered,a delivered', isGap: false });
    expect(merged(listed, page([row('b', 2)], null, 2))).toMatchObject({ gone: 'a delivered', fresh: '' });
  });

  it('says nothing while it is not there, or was cut off before it found a row', () => {
    const listed = [page([row('a', 1)])];
    const nothing = { rows: 'a delivered', fresh: '', gone: '', isGap: false };
    expect(merged(listed, undefined)).toEqual(nothing);
    expect(merged(listed, page([], 'on', 2))).toEqual(nothing);
  });

  it('says nothing of what was read after it', () => {
    const begun = [page([row('c', 3, 'failed'), row('b', 2)], null, 3)];
    expect(merged(begun, page([row('c', 3, 'pending'), row('a', 1)], null, 2))).toMatchObject({
      rows: 'c failed,b delivered',
      fresh: '',
      gone: '',
    });
    const scrolled = [page([row('c', 3)], 'on', 1), page([row('b', 2)], null, 3)];
    expect(merged(scrolled, page([row('c', 3)], null, 2))).toMatchObject({ gone: '' });
  });

  it('knows rows apart that were accepted in the same moment', () => {
    expect(merged([page([row('a', 1)])], page([row('b', 1), row('a', 1)], null, 2)).fresh).toBe('b delivered');
  });

  it('leaves to the next page of the list what is older than its last row', () => {
    const head = page([row('c', 3), row('b', 2), row('a', 1)], 'more', 2);
    expect(merged([page([row('c', 3)], 'on')], head).fresh).toBe('');
    expect(merged([page([row('c', 3)])], head).fresh).toBe('b delivered,a delivered');
  });

  it('tells of a gap where none of its rows is listed', () => {
    expect(merged([page([row('a', 1)])], page([row('c', 3), row('b', 2)], 'more', 2)).isGap).toBe(true);
    expect(merged([page([row('a', 1)])], page([row('c', 3)], null, 2)).isGap).toBe(false);
  });
});

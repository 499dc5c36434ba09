import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../api/queries.js';
import { mergeFresh } from './merge-fresh.js';

const row = (id: string, minute: number, state = 'delivered'): Delivery =>
  ({
    delivery_id: id,
    accepted_at: `2026-11-29T10:${String(minute).padStart(2, '0')}:00.000Z`,
    state,
  }) as Delivery;
const idsOf = (rows: readonly Delivery[]): string => rows.map(({ delivery_id: id, state }) => `${id} ${state}`).join();

describe('the newest page beside what is listed', () => {
  it('brings in what is new, and what is listed as it is now', () => {
    const listed = [row('c', 3, 'pending'), row('b', 2), row('a', 1)];
    const { rows, fresh } = mergeFresh(listed, [row('d', 4), row('c', 3, 'failed'), row('b', 2)]);
    expect([idsOf(rows), idsOf(fresh)]).toEqual(['c failed,b delivered,a delivered', 'd delivered']);
  });

  it('never takes for new what is listed, also where what was recorded late stands among newer rows', () => {
    const listed = [row('late', 1), row('c', 5), row('b', 4), row('a', 0)];
    expect(mergeFresh(listed, [row('c', 5), row('b', 4)]).fresh).toEqual([]);
    expect(mergeFresh(listed, [row('c', 5), row('b', 4), row('late', 1)]).fresh).toEqual([]);
  });

  it('knows rows apart that were accepted in the same moment', () => {
    expect(idsOf(mergeFresh([row('a', 1)], [row('b', 1), row('a', 1)]).fresh)).toBe('b delivered');
  });

  it('changes nothing while it is not there, or empty', () => {
    const listed = [row('a', 1)];
    expect(mergeFresh(listed, [])).toEqual({ rows: listed, fresh: [] });
  });
});

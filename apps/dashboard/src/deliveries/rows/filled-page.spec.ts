import { describe, expect, it } from 'vitest';
import { filledPage } from './filled-page.js';

/** A log whose search hands over nothing so many times before it finds a row, or its end. */
const searching = (empty: number, items: readonly string[]) => {
  const asked: (string | undefined)[] = [];
  const ask = (cursor: string | undefined) => {
    asked.push(cursor);
    const isEmpty = asked.length <= empty;
    return Promise.resolve({ items: isEmpty ? [] : items, next_cursor: isEmpty ? `c${asked.length}` : null });
  };
  return { ask, asked };
};

describe('a page of the log', () => {
  it('is the first that has a row, however often the search stopped before', async () => {
    const { ask, asked } = searching(3, ['a']);
    expect(await filledPage(ask, undefined)).toEqual({ items: ['a'], next_cursor: null });
    expect(asked).toEqual([undefined, 'c1', 'c2', 'c3']);
  });

  it('is empty only at the end of the log', async () => {
    expect(await filledPage(searching(2, []).ask, 'c0')).toEqual({ items: [], next_cursor: null });
  });

  it('tells where to look on when too much held nothing', async () => {
    const { ask, asked } = searching(1_000, ['a']);
    expect(await filledPage(ask, undefined)).toEqual({ items: [], next_cursor: 'c51' });
    expect(asked).toHaveLength(51);
  });
});

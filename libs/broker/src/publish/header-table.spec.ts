import { describe, expect, it } from 'vitest';
import { HeaderTable } from './header-table.js';

/** What the library would send: it leaves out what is undefined. */
const sent = (table: object) => Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined));

describe('the table of headers', () => {
  it('holds those of the latest message and none of those before', () => {
    const table = new HeaderTable();
    expect(sent(table.holding({ event: 'e', try: 0 }))).toEqual({ event: 'e', try: 0 });
    expect(sent(table.holding({ event: '', kind: 'k' }))).toEqual({ event: '', kind: 'k' });
    expect(sent(table.holding({}))).toEqual({});
    expect(sent(table.holding({ try: 2 }))).toEqual({ try: 2 });
  });

  it('leaves the headers as they are that it is given', () => {
    const table = new HeaderTable();
    const headers = { event: 'e' };
    table.holding(headers);
    table.holding({ try: 1 });
    expect(headers).toEqual({ event: 'e' });
  });

  it('is one object, until strangers have brought too many names', () => {
    const table = new HeaderTable();
    const ours = { event: 'e' };
    const first = table.holding(ours);
    expect(table.holding({ try: 1 })).toBe(first);
    for (let n = 0; n < 1_000; n += 1) {
      const held = table.holding({ [`theirs_${n}`]: n });
      expect(sent(held)).toEqual({ [`theirs_${n}`]: n });
      expect(Object.keys(held).length).toBeLessThan(100);
    }
  });
});

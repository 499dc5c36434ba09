import { describe, expect, it } from 'vitest';
import { csvOf } from './csv.js';

describe('a table as CSV', () => {
  it('keeps quotes, commas and line breaks inside their cells', () => {
    expect(
      csvOf([
        ['a', 'b'],
        ['say "hi", twice', 'one\ntwo'],
      ]),
    ).toBe('\ufeff"a","b"\r\n"say ""hi"", twice","one\ntwo"\r\n');
  });

  it.each(['=1+1', '+49', '-2', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\uff1d1'])(
    'has no cell that a spreadsheet would run: %j',
    (text) => {
      expect(csvOf([[text]])).toBe(`\ufeff"'${text}"\r\n`);
    },
  );

  it('leaves what is no formula as it is', () => {
    expect(csvOf([['a=1', '2026-11-29', 'user:u_1']])).toBe('\ufeff"a=1","2026-11-29","user:u_1"\r\n');
  });
});

import { describe, expect, it } from 'vitest';
import { pages, paragraphsOf, tablesOf } from './pages.js';
import { filesBelow, readText } from './repository.js';

const MAX_LINE = 300;
const MAX_CELL = 120;
const MAX_PARAGRAPH_LINES = 7;

describe('a text that people read', () => {
  it(`has no line over ${MAX_LINE} characters`, () => {
    const texts = filesBelow('.').filter((file) => !/\.(?:jpg|png|webp)$/.test(file));
    const long = texts.flatMap((file) =>
      readText(file)
        .split('\n')
        .flatMap((line, index) => (line.length > MAX_LINE ? [`${file}:${index + 1}`] : [])),
    );
    expect(long).toEqual([]);
  });

  it(`has no table cell over ${MAX_CELL} characters`, () => {
    const long = pages().flatMap(({ file, text }) =>
      tablesOf(text)
        .flat(2)
        .filter((cell) => cell.length > MAX_CELL)
        .map((cell) => `${file}: ${cell}`),
    );
    expect(long).toEqual([]);
  });

  it('has in each row of a table the cells that its head has: a paragraph right below would become rows', () => {
    const cells = (row: string): number => row.replaceAll('\\|', '').split('|').length;
    const broken = pages().flatMap(({ file, text }) =>
      [...text.matchAll(/^\|.*\n\|[-: |]+\n(?:.*\S.*(?:\n|$))*/gm)].flatMap(([table]) => {
        const [head, ...rows] = table.trimEnd().split('\n');
        return rows.filter((row) => cells(row) !== cells(head!)).map((row) => `${file}: ${row.slice(0, 60)}`);
      }),
    );
    expect(broken).toEqual([]);
  });

  it(`has no paragraph over ${MAX_PARAGRAPH_LINES} lines`, () => {
    const long = pages().flatMap(({ file, text }) =>
      paragraphsOf(text)
        .filter((paragraph) => paragraph.split('\n').length > MAX_PARAGRAPH_LINES)
        .map((paragraph) => `${file}: ${paragraph.slice(0, 60)}`),
    );
    expect(long).toEqual([]);
  });
});

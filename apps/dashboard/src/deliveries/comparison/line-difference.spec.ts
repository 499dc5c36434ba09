import { describe, expect, it } from 'vitest';
import { lineDifference } from './line-difference.js';

const shown = (a: string, b: string): string[] =>
  lineDifference(a, b).map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+', 'left-out': '' }[kind]}${text}`);

describe('the difference of two texts', () => {
  it('is nothing where they are the same', () => {
    expect(shown('a\nb', 'a\nb')).toEqual([]);
  });

  it('names the lines of each, with what is around them', () => {
    expect(shown('1\n2\n3\n4\nold\n5\n6\n7', '1\n2\n3\n4\nnew\nmore\n5\n6\n7')).toEqual([
      ...['⋯', ' 3', ' 4', '-old', '+new', '+more', ' 5', ' 6', '⋯'],
    ]);
  });

  it('finds what both have between lines that differ', () => {
    expect(shown('a\nx\nb', 'c\nx\nd')).toEqual(['-a', '+c', ' x', '-b', '+d']);
  });

  it('is done at once and stays short, however much differs', () => {
    const lines = (word: string) => Array.from({ length: 100_000 }, (_, n) => `${word}${n}`).join('\n');
    expect(shown(lines('a'), lines('b'))).toHaveLength(501);
  });
});

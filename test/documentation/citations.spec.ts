import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tablesOf } from './pages.js';
import { filesBelow, readText } from './repository.js';

/** Files in which rules, rows and traps are cited. This one is left out: it spells out what it looks for. */
const texts = filesBelow('.')
  .filter((file) => file !== 'test/documentation/citations.spec.ts')
  .map((file) => ({ file, text: readText(file) }));
const code = texts.filter(({ file }) => /\.(?:ts|mjs|md)$/.test(file));

const RULE = /(?<![\w%[\\-])[A-Z][1-9]\d?(?![\w-])/g;
const rules = ['docs/sender-rules.md', 'docs/service-rules.md'].flatMap((page) =>
  [...readText(page).matchAll(/^- \*\*([A-Z]\d+)\*\*: /gm)].map(([, id]) => id!),
);
const rows = tablesOf(readText('docs/hostile-inputs.md')).flatMap((table) => table.map(([row]) => Number(row)));
const traps = [...readText('docs/broker-traps.md').matchAll(/^- \*\*Trap (\d+)\*\*: /gm)].map(([, trap]) =>
  Number(trap),
);

/** The numbers after a word such as `row`: "rows 3 to 14, 37" are 3, 14 and 37. */
function numbersAfter(word: string, text: string): number[] {
  const cited = new RegExp(`\\b${word}s? (\\d+(?:(?:, | to | and )\\d+)*)`, 'gi');
  return [...text.matchAll(cited)].flatMap(([, numbers]) => numbers!.match(/\d+/g)!.map(Number));
}

/** What is cited in some file and not among what exists, with its file. */
function missing<T extends string | number>(cite: (text: string) => readonly T[], existing: readonly T[]): string[] {
  return code.flatMap(({ file, text }) =>
    cite(text)
      .filter((cited) => !existing.includes(cited))
      .map((cited) => `${file}: ${cited}`),
  );
}

describe('a citation', () => {
  it.each([
    ['rule', rules],
    ['row', rows],
    ['trap', traps],
  ])('finds each %s once', (_what, ids) => {
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id, index) => ids.indexOf(id as never) !== index)).toEqual([]);
  });

  it('of a rule leads to one that exists', () => {
    const letters = new Set(rules.map((id) => id[0]));
    const cited = (text: string) => (text.match(RULE) ?? []).filter((id) => letters.has(id[0]));
    expect(code.flatMap(({ text }) => cited(text))).toContain('E9');
    expect(missing(cited, rules)).toEqual([]);
  });

  it('of a row leads to one that exists', () => {
    expect(missing((text) => numbersAfter('row', text), rows)).toEqual([]);
  });

  it('of a trap leads to one that exists', () => {
    expect(missing((text) => numbersAfter('trap', text), traps)).toEqual([]);
  });

  it('of a page leads to a page of this repository', () => {
    const pages = new Set(filesBelow('.', '.md').map((file) => basename(file)));
    const cited = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/[\w-]+\.md\b/g)].filter(([page]) => !pages.has(page)).map(([page]) => `${file}: ${page}`),
    );
    expect(cited).toEqual([]);
  });

  it('is never of a document that only its authors have', () => {
    const unpublished = /\bthe design\b|\bDESIGN\b|\b[A-Z]+-(?:RULES|INPUTS|CASES|PATH)\b/;
    const mentions = texts.filter(({ text }) => unpublished.test(text)).map(({ file }) => file);
    expect(mentions).toEqual([]);
  });
});

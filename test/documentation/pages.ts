import { filesBelow, readText } from './repository.js';

/** A page of the documentation. */
export interface Page {
  /** Relative to the root. */
  readonly file: string;
  readonly text: string;
}

/** Every Markdown file of the repository. */
export const pages = (): Page[] => filesBelow('.', '.md').map((file) => ({ file, text: readText(file) }));

/** What stands in backticks in running text, outside of fenced blocks. */
export const codeWords = (text: string): string[] =>
  [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, word]) => word!);

/** The targets of a page's links. */
export const linksOf = (text: string): string[] =>
  [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);

/** The anchors that a page's headings can be reached by. */
export const anchorsOf = (text: string): string[] =>
  [...withoutFences(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The rows of the table under a heading, each as its cells; the head row is left out. */
export function tableUnder(text: string, heading: string): string[][] {
  const section = text.split(/^#{1,6} /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`there is no heading "${heading}"`);
  return tablesOf(section).flat();
}

/** The rows of each table of a page, each as its cells; head rows are left out. */
export const tablesOf = (text: string): string[][][] =>
  [...withoutFences(text).matchAll(/^\|.*\n\|[-: |]+\n((?:\|.*(?:\n|$))*)/gm)].map(([, rows]) =>
    rows!.trimEnd().split('\n').map(cellsOf),
  );

const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Running text: what stands between blank lines, each item of a list for itself, without tables and fenced blocks. */
export const paragraphsOf = (text: string): string[] =>
  withoutFences(text)
    .replace(/^\|.*$/gm, '')
    .split(/\n(?:[ \t]*\n)+|\n(?=[ \t]*(?:[-*]|\d+\.) )/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');

const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '');

export interface DifferenceLine {
  /** In both, in the first alone, in the second alone; or lines that are the same in both and left out. */
  readonly kind: 'same' | 'gone' | 'new' | 'left-out';
  readonly text: string;
}

/** Comparisons of two lines at most: what differs more than that stands one after the other. */
const MAX_COMPARED = 1_000_000;
/** Lines that are shown at most. */
const MAX_SHOWN = 500;
/** Lines that are the same before and after one that differs. */
const AROUND = 2;

/** What two texts differ in, line by line; empty if they are the same. */
export function lineDifference(first: string, second: string): DifferenceLine[] {
  if (first === second) return [];
  const [a, b] = [first.split('\n'), second.split('\n')];
  const start = sameAtStart(a, b);
  const end = sameAtEnd(a, b, start);
  const middle = differing(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const same = (lines: readonly string[]): DifferenceLine[] => lines.map((text) => ({ kind: 'same', text }));
  const all = [...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))];
  return cut(withoutTheSame(all));
}

function sameAtStart(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a[count] === b[count]) count++;
  return count;
}

function sameAtEnd(a: readonly string[], b: readonly string[], start: number): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) - start && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

function differing(a: readonly string[], b: readonly string[]): DifferenceLine[] {
  const gone = a.map((text) => ({ kind: 'gone' as const, text }));
  const added = b.map((text) => ({ kind: 'new' as const, text }));
  if (a.length * b.length > MAX_COMPARED) return [...gone, ...added];
  const common = longestCommon(a, b);
  const lines: DifferenceLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i]! });
      i++;
      j++;
    } else if (common[i + 1]![j]! >= common[i]![j + 1]!) lines.push(gone[i++]!);
    else lines.push(added[j++]!);
  }
  return [...lines, ...gone.slice(i), ...added.slice(j)];
}

/** How many lines the rests of both have in common from each place on. */
function longestCommon(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      rows[i]![j] = a[i] === b[j] ? rows[i + 1]![j + 1]! + 1 : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!);
    }
  }
  return rows;
}

/** Lines that differ, with some around them. */
function withoutTheSame(lines: readonly DifferenceLine[]): DifferenceLine[] {
  const kept = new Uint8Array(lines.length);
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'same') kept.fill(1, Math.max(0, index - AROUND), index + AROUND + 1);
  }
  return lines.flatMap((line, index) => {
    if (kept[index] === 1) return [line];
    return index === 0 || kept[index - 1] === 1 ? [{ kind: 'left-out' as const, text: '⋯' }] : [];
  });
}

const cut = (lines: readonly DifferenceLine[]): DifferenceLine[] =>
  lines.length <= MAX_SHOWN ? [...lines] : [...lines.slice(0, MAX_SHOWN), { kind: 'left-out', text: '⋯' }];

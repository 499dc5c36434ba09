import { expect, it } from 'vitest';
import { LinePrinter } from './line-printer.js';

it('writes what is said in one turn at once, in its order, each text on lines of its own and harmless', async () => {
  const written: string[] = [];
  const { say } = new LinePrinter({ write: (text) => written.push(text) });
  say('one');
  say('two\nthree \u009b2J');
  expect(written).toEqual([]);
  await Promise.resolve();
  say('four');
  await Promise.resolve();
  expect(written).toEqual(['one\ntwo\nthree \\u009b2J\n', 'four\n']);
});

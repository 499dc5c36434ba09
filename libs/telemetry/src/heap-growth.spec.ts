import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { HEAP_GROWTH } from './heap-growth.js';

it('this Node knows the limit of the heap’s growth: it would say so of one that it does not', () => {
  const said = (flag: string): string => {
    const program = `require("node:v8").setFlagsFromString(${JSON.stringify(flag)})`;
    return spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8' }).stderr;
  };
  expect(said(HEAP_GROWTH)).toBe('');
  expect(said(HEAP_GROWTH.replace('heap', 'heaps'))).toContain('unrecognized flag');
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundSockets, readOpenFilesLimit } from './open-files.js';

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max processes             96000                96000                processes
Max open files            1024                 524288               files
`;

describe('the limit of open files', () => {
  it('is the soft one that the system tells', () => {
    expect(readOpenFilesLimit(() => LIMITS)).toBe(1_024);
  });

  it.each(['', 'Max open files            unlimited            unlimited            files'])(
    'is not known where the system tells none: %j',
    (text) => expect(readOpenFilesLimit(() => text)).toBeUndefined(),
  );

  it('is not known where there is nothing to read', () => {
    expect(
      readOpenFilesLimit(() => {
        throw new Error('ENOENT');
      }),
    ).toBeUndefined();
  });
});

describe('attempts at a time', () => {
  it.each([
    [1_024, { concurrency: 288, idle: 192 }],
    [1_777, { concurrency: 499, idle: 333 }],
    [1_778, { concurrency: 500, idle: 333 }],
    [4_096, { concurrency: 500, idle: 768 }],
    [1_048_576, { concurrency: 500, idle: 1_000 }],
    [undefined, { concurrency: 500, idle: 1_000 }],
  ])('of 500 that are asked for, with %s open files', (openFiles, bounds) => {
    expect(boundSockets(500, openFiles)).toEqual(bounds);
  });

  it('leave a quarter of the open files to everything else, however many are asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 10_000 }), fc.integer({ min: 64, max: 2 ** 20 }), (asked, openFiles) => {
        const { concurrency, idle } = boundSockets(asked, openFiles);
        expect(concurrency).toBeGreaterThanOrEqual(4);
        expect(concurrency).toBeLessThanOrEqual(asked);
        expect(2 * concurrency + idle).toBeLessThanOrEqual(0.75 * openFiles);
      }),
    );
  });
});

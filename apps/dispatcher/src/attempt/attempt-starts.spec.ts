import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { AttemptStarts } from './attempt-starts.js';

function begin(starts: AttemptStarts, count: number, started: number[]): void {
  for (let n = 0; n < count; n++) void starts.turn().then(() => started.push(n));
}

/** Each turn takes so long, ms, however busy the machine is. */
function turnsTake(ms: number): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += ms));
}

describe('the starts of attempts', () => {
  it('lets a few start in each turn of the event loop, in the order of their arrival', async () => {
    turnsTake(1);
    const started: number[] = [];
    begin(new AttemptStarts(), 20, started);
    expect(started).toHaveLength(0);
    const perTurn: number[] = [];
    while (started.length < 20) {
      const before = started.length;
      await nextTurn();
      perTurn.push(started.length - before);
    }
    expect(perTurn).toEqual([8, 8, 4]);
    expect(started).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('goes on after it had nothing to do, and takes what comes while others wait', async () => {
    turnsTake(1);
    const starts = new AttemptStarts();
    const started: number[] = [];
    begin(starts, 9, started);
    await nextTurn();
    begin(starts, 2, started);
    await nextTurn();
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1]);
    await starts.turn();
    expect(started).toHaveLength(11);
  });

  it('lets more start in a turn that other work made long, so that it does not set the pace', async () => {
    const started: number[] = [];
    turnsTake(40);
    begin(new AttemptStarts(), 100, started);
    await nextTurn();
    expect(started).toHaveLength(40);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StrandedRungs } from './stranded-rungs.js';

const HOUR_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const place = (rungs: StrandedRungs, rung: number, id: string): void => rungs.placed(rung, id, performance.now());

/** A message was put into the delay of 1 s ten minutes ago, and others have come out of the delay of 4 s since. */
function stage(meanwhile: (rungs: StrandedRungs) => void = () => undefined) {
  const rungs = new StrandedRungs([1_000, 4_000]);
  place(rungs, 1_000, 'a');
  vi.advanceTimersByTime(600_000);
  rungs.cameOut(4_000, 'another');
  meanwhile(rungs);
  return rungs;
}

describe('a delay of which a message is published again as lost', () => {
  it('is left out where nothing has come out of it since the message was due, and told of once', () => {
    const rungs = stage((all) => place(all, 1_000, 'b'));
    expect([rungs.lost('a'), rungs.has(1_000), rungs.has(4_000)]).toEqual([1_000, true, false]);
    vi.advanceTimersByTime(600_000);
    rungs.cameOut(4_000, 'another');
    expect(rungs.lost('b')).toBeUndefined();
  });

  it('serves on where something came out of it, and again as soon as something does', () => {
    const well = stage((all) => all.cameOut(1_000, 'another'));
    expect([well.lost('a'), well.has(1_000)]).toEqual([undefined, false]);
    const mended = stage();
    mended.lost('a');
    mended.cameOut(1_000, 'another');
    expect(mended.has(1_000)).toBe(false);
  });

  it('is left out although something came out of it before', () => {
    const rungs = new StrandedRungs([1_000, 4_000]);
    rungs.cameOut(1_000, 'another');
    place(rungs, 1_000, 'a');
    vi.advanceTimersByTime(600_000);
    rungs.cameOut(4_000, 'another');
    expect(rungs.lost('a')).toBe(1_000);
  });

  it('serves on where nothing has come out of any: no delay would be better', () => {
    const rungs = new StrandedRungs([1_000, 4_000]);
    place(rungs, 1_000, 'a');
    vi.advanceTimersByTime(600_000);
    expect([rungs.lost('a'), rungs.has(1_000)]).toEqual([undefined, false]);
  });

  it('is tried again after an hour', () => {
    const rungs = stage();
    rungs.lost('a');
    vi.advanceTimersByTime(HOUR_MS);
    expect(rungs.has(1_000)).toBe(false);
  });

  it('serves on where the message was put there in a session before: the broker may have lost it', () => {
    const rungs = stage((all) => all.beginSession());
    expect([rungs.lost('a'), rungs.has(1_000)]).toEqual([undefined, false]);
  });

  it('serves on where another process had put the message there, or nobody knows where it was', () => {
    const rungs = stage();
    expect([rungs.lost('z'), rungs.has(1_000)]).toEqual([undefined, false]);
  });
});

it('remembers one message a second of a delay, those of the last quarter of an hour at least', () => {
  const rungs = new StrandedRungs([1_000, 4_000]);
  place(rungs, 1_000, 'first');
  place(rungs, 1_000, 'in the same second');
  for (let n = 0; n < 1_000; n++) {
    vi.advanceTimersByTime(1_000);
    place(rungs, 1_000, `later ${n}`);
  }
  vi.advanceTimersByTime(600_000);
  rungs.cameOut(4_000, 'another');
  expect(rungs.lost('in the same second')).toBeUndefined();
  expect(rungs.lost('first'), 'the oldest is forgotten').toBeUndefined();
  expect(rungs.lost('later 100')).toBe(1_000);
});

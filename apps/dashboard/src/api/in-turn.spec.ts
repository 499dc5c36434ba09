import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTurn } from './in-turn.js';

const REST_MS = 10_000;

/** Questions that are answered when the test says so. */
function asking() {
  const answers: (() => void)[] = [];
  const turn = inTurn(() => new Promise<void>((resolve) => answers.push(resolve)), REST_MS);
  return { answers, ...turn };
}

describe('a question that many changes ask for', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is asked at once, and once more for all that changed before its answer', async () => {
    const { answers, want } = asking();
    for (let n = 0; n < 5; n++) want();
    expect(answers).toHaveLength(1);
    answers[0]!();
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(answers).toHaveLength(2);
  });

  it('rests after each answer, and misses nothing that changed while it did', async () => {
    const { answers, want } = asking();
    want();
    answers[0]!();
    await vi.advanceTimersByTimeAsync(REST_MS - 1);
    want();
    expect(answers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(answers).toHaveLength(2);
  });

  it('is asked at once again after a silence, and not for what changed before its last time', async () => {
    const { answers, want } = asking();
    want();
    answers[0]!();
    await vi.advanceTimersByTimeAsync(10 * REST_MS);
    expect(answers).toHaveLength(1);
    want();
    expect(answers).toHaveLength(2);
  });

  it('is asked no more once its page is left', async () => {
    const { answers, want, stop } = asking();
    want();
    want();
    stop();
    answers[0]!();
    await vi.advanceTimersByTimeAsync(10 * REST_MS);
    want();
    expect(answers).toHaveLength(1);
  });
});

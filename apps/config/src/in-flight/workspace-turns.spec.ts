import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tooManyRequests } from '@form-webhooks/http-edge';
import { WorkspaceTurns } from './workspace-turns.js';

/** Work that ends when the test says so. */
function held(): { work: () => Promise<void>; end: () => void; began: () => boolean } {
  let began = false;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ((began = true), ended), end: () => end(), began: () => began };
}

const refusal = () => tooManyRequests(1_000, 'Too many.', 'too_many_at_a_time');

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.useRealTimers();
});

describe('turns of workspaces', () => {
  it('of one that is stuck hold up no other', async () => {
    const turns = new WorkspaceTurns(2, refusal);
    const stuck = Array.from({ length: 10 }, held);
    const all = stuck.map(({ work }) => turns.run('ws_stuck', work));
    await expect(turns.run('ws_stuck', held().work)).rejects.toMatchObject({ status: 429 });
    expect(await turns.run('ws_other', () => Promise.resolve('checked'))).toBe('checked');
    expect(stuck.map(({ began }) => began())).toEqual([true, true, ...Array<boolean>(8).fill(false)]);
    for (const { end } of stuck) end();
    await Promise.all(all);
    expect(stuck.every(({ began }) => began())).toBe(true);
  });

  it('refuse who has waited for 20 seconds, before its connection is given up, and go on with who has not', async () => {
    vi.useFakeTimers();
    const turns = new WorkspaceTurns(1, refusal);
    const [first, early, late] = [held(), held(), held()];
    const running = turns.run('ws_slow', first.work);
    const refused = expect(turns.run('ws_slow', early.work)).rejects.toMatchObject({ status: 429 });
    await vi.advanceTimersByTimeAsync(15_000);
    const served = turns.run('ws_slow', late.work);
    await vi.advanceTimersByTimeAsync(5_000);
    await refused;
    first.end();
    await running;
    late.end();
    await served;
    expect([early.began(), late.began()]).toEqual([false, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never run more than there may be, and are all given back, however the work ends', async () => {
    const runs = fc.array(fc.record({ workspace: fc.constantFrom('a', 'b'), fails: fc.boolean() }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(runs, fc.integer({ min: 1, max: 4 }), async (given, atATime) => {
        const turns = new WorkspaceTurns(atATime, refusal);
        const running = { a: 0, b: 0 };
        const one = async ({ workspace, fails }: (typeof given)[number]): Promise<void> => {
          expect(++running[workspace]).toBeLessThanOrEqual(atATime);
          await settled();
          running[workspace]--;
          if (fails) throw new Error('on purpose');
        };
        await Promise.allSettled(given.map((run) => turns.run(run.workspace, () => one(run))));
        expect(Reflect.get(turns, 'lines')).toEqual(new Map());
      }),
      { numRuns: 50 },
    );
  });
});

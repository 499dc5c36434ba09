import type { AttemptResult } from '@form-webhooks/domain';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settled } from '../../testing/fakes.js';
import { Admission, type Applicant, type Deferral, type Slot } from '../admission.js';
import { BodyBudget } from './body-budget.js';

const MIB = 1024 * 1024;
const OK: AttemptResult = { kind: 'response', status: 200, retryAfterMs: undefined } as AttemptResult;
const TIMEOUT: AttemptResult = { kind: 'error', code: 'timeout' };
const PUT_OFF: Deferral = { kind: 'deferral', delayMs: 1_000, cause: 'no_slot' };

/** Admits everybody, or nobody. */
class Everybody extends Admission {
  admits = true;
  ended: string[] = [];

  override endLongWaits(): void {}

  override async enter(): Promise<Slot | Deferral> {
    if (!this.admits) return PUT_OFF;
    return {
      kind: 'slot',
      begin: () => void this.ended.push('begun'),
      release: () => void this.ended.push('released'),
      giveBack: () => void this.ended.push('given back'),
    };
  }
}

const of = (bytes: number, origin = 'https://a', deferrals = 0, message = 'evt_1'): Applicant => ({
  endpointId: 'we_1',
  origin,
  bytes,
  deferrals,
  due: false,
  rateLimit: undefined,
  message,
});

function stage() {
  const inner = new Everybody();
  const budget = new BodyBudget(inner);
  const slots: Slot[] = [];
  const enter = async (applicant: Applicant): Promise<Slot | Deferral> => {
    const admitted = await budget.enter(applicant);
    if (admitted.kind === 'slot') slots.push(admitted);
    return admitted;
  };
  return { inner, budget, slots, enter };
}

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
);
afterEach(() => void vi.useRealTimers());

describe('large bodies', () => {
  it('are four at a time of a MiB each to an origin of which nothing is known, the next when one is done', async () => {
    const { slots, enter } = stage();
    for (let n = 0; n < 6; n++) void enter(of(MIB));
    await settled();
    expect(slots).toHaveLength(4);
    slots[0]!.giveBack();
    await settled();
    expect(slots).toHaveLength(5);
  });

  it('are half as many after a time-out, and more again with each answer', async () => {
    const { slots, enter } = stage();
    for (let n = 0; n < 4; n++) void enter(of(MIB));
    await settled();
    for (const slot of slots.splice(0)) slot.release(TIMEOUT, 15_000);
    for (let n = 0; n < 3; n++) void enter(of(MIB));
    await settled();
    expect(slots).toHaveLength(1);
    slots.shift()!.release(OK, 10);
    await settled();
    expect(slots.length).toBeGreaterThanOrEqual(1);
    for (let n = 0; n < 20 && slots.length > 0; n++) {
      slots.shift()!.release(OK, 10);
      void enter(of(MIB));
      await settled();
    }
    for (let n = 0; n < 30; n++) void enter(of(MIB));
    await settled();
    expect(slots.length).toBeGreaterThan(4);
    expect(slots.length).toBeLessThanOrEqual(16);
  });

  it('wait a second for their own origin, then they are put off, longer each time', async () => {
    const { enter } = stage();
    await enter(of(5 * MIB));
    await enter(of(MIB, 'https://other'));
    const putOff = [0, 1, 2, 9].map((deferrals) => enter(of(MIB, 'https://a', deferrals)));
    await vi.advanceTimersByTimeAsync(1_000);
    const delays = (await Promise.all(putOff)).map((admitted) => (admitted as Deferral).delayMs);
    expect(delays).toEqual([4_000, 15_000, 60_000, 60_000]);
  });

  it('wait a minute for their origin while it is alone, and no longer once others come', async () => {
    const { enter } = stage();
    await enter(of(5 * MIB));
    const ended: number[] = [];
    const wait = (): void => void enter(of(MIB)).then(() => ended.push(performance.now()));
    const begun = performance.now();
    wait();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toEqual([begun + 60_000]);
    wait();
    await vi.advanceTimersByTimeAsync(5_500);
    void enter(of(MIB, 'https://other'));
    await vi.advanceTimersByTimeAsync(500);
    expect(ended).toHaveLength(2);
  });

  it('leave room in hand for what would show that their origin is not alone: three messages of it wait so long', async () => {
    const { enter } = stage();
    await enter(of(5 * MIB));
    const ended: string[] = [];
    const wait = (message: string): void =>
      void enter(of(MIB, 'https://a', 0, message)).then(() => ended.push(message));
    for (const message of ['evt_1', 'evt_1', 'evt_2', 'evt_1', 'evt_3', 'evt_4', 'evt_5']) wait(message);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toEqual(['evt_4', 'evt_5']);
    wait('evt_6');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).toEqual(['evt_4', 'evt_5', 'evt_6']);
    await vi.advanceTimersByTimeAsync(58_000);
    expect(ended).toHaveLength(8);
  });

  it('are handed back once the process is to end, unless there is room', async () => {
    const { budget, enter } = stage();
    await enter(of(5 * MIB));
    const waiting = enter(of(MIB));
    const refused = expect(waiting).rejects.toThrow('the service stops');
    budget.endLongWaits();
    await refused;
    await expect(enter(of(MIB))).rejects.toThrow('the service stops');
    expect(await enter(of(MIB, 'https://other'))).toMatchObject({ kind: 'slot' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are 20 MiB at a time to all origins together', async () => {
    const { budget, slots, enter } = stage();
    for (let n = 0; n < 40; n++) void enter(of(MIB, `https://origin-${n}`));
    await settled();
    expect([slots.length, budget.size]).toEqual([20, 20 * MIB]);
  });

  it('cost nothing once they are put off by admission, or it fails', async () => {
    const { inner, budget, enter } = stage();
    inner.admits = false;
    expect(await enter(of(MIB))).toEqual(PUT_OFF);
    vi.spyOn(inner, 'enter').mockRejectedValue(new TypeError('a bug'));
    await expect(enter(of(MIB))).rejects.toThrow('a bug');
    expect(budget.size).toBe(0);
  });

  it('may be larger than all there is, alone', async () => {
    const { slots, enter } = stage();
    await enter(of(100 * MIB));
    expect(slots).toHaveLength(1);
  });

  it('hold up no small one', async () => {
    const { slots, enter } = stage();
    for (let n = 0; n < 6; n++) void enter(of(MIB));
    await enter(of(1_024));
    await settled();
    expect(slots).toHaveLength(5);
  });

  it('never exceed the budget, and leave nothing held, in any order of ends', async () => {
    const end = fc.constantFrom('answer', 'time-out', 'give back');
    const body = fc.record({
      bytes: fc.integer({ min: 1, max: 8 * MIB }),
      origin: fc.constantFrom('a', 'b', 'c'),
      end,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(body, { maxLength: 60 }), async (bodies) => {
        const { budget, enter } = stage();
        const all = bodies.map(async ({ bytes, origin, end: how }) => {
          const admitted = await enter(of(bytes, origin));
          expect(budget.size).toBeLessThanOrEqual(20 * MIB);
          if (admitted.kind === 'deferral') return;
          await new Promise((resolve) => setTimeout(resolve, 100));
          if (how === 'give back') admitted.giveBack();
          else admitted.release(how === 'answer' ? OK : TIMEOUT, 100);
        });
        await vi.advanceTimersByTimeAsync(120_000);
        await Promise.all(all);
        expect(budget.size).toBe(0);
      }),
      { numRuns: 50 },
    );
  });
});

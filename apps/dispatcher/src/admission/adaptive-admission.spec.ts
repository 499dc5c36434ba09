import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AdaptiveAdmission } from './adaptive-admission.js';
import type { Applicant, Deferral, Slot } from './admission.js';

const OK = { kind: 'response', status: 200 } as const;
const from = (endpointId: string, due = false): Applicant => ({
  endpointId,
  origin: `https://${endpointId}.example`,
  due,
  deferrals: 0,
  bytes: 1_024,
  rateLimit: undefined,
  message: 'evt_1',
});

const admissionOf = (concurrency: number, endpointMaxInFlight = concurrency): AdaptiveAdmission =>
  new AdaptiveAdmission({ concurrency, endpointMaxInFlight, attemptTimeoutMs: 15_000 }, { count: 1 });

async function slots(admission: AdaptiveAdmission, endpointId: string, count: number): Promise<Slot[]> {
  const admitted = await Promise.all(Array.from({ length: count }, () => admission.enter(from(endpointId))));
  return admitted.map((one) => {
    if (one.kind !== 'slot') throw new Error('was deferred');
    one.begin();
    return one;
  });
}

/** Endpoints that have just answered. */
async function prove(admission: AdaptiveAdmission, ...endpointIds: string[]): Promise<void> {
  for (const id of endpointIds) (await slots(admission, id, 1))[0]!.release(OK, 5);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('AdaptiveAdmission', () => {
  it('lets an endpoint that hangs hold its own limit and no more', async () => {
    const admission = admissionOf(100, 4);
    await slots(admission, 'hanging', 4);
    const refused = admission.enter(from('hanging'));
    await vi.advanceTimersByTimeAsync(400);
    expect((await refused).kind).toBe('deferral');
    expect(await slots(admission, 'healthy', 4)).toHaveLength(4);
  });

  it('lets one wait in memory that starts soon, in the order of arrival', async () => {
    const admission = admissionOf(100, 1);
    const [first] = await slots(admission, 'quick', 1);
    const order: string[] = [];
    const second = admission.enter(from('quick')).then((one) => (order.push('second'), one));
    const third = admission.enter(from('quick')).then(() => order.push('third'));
    first!.release(OK, 5);
    ((await second) as Slot).release(OK, 5);
    await third;
    expect(order).toEqual(['second', 'third']);
  });

  it('learns nothing of an endpoint from a slot that is given back unused', async () => {
    const admission = admissionOf(100, 1);
    const [unused] = await slots(admission, 'quick', 1);
    const second = admission.enter(from('quick'));
    unused!.giveBack();
    expect(() => unused!.giveBack()).toThrow('once');
    expect(await second).toMatchObject({ kind: 'slot' });
    expect(admission.size).toBe(1);
  });

  it('defers at once what would not start in time', async () => {
    const admission = admissionOf(100, 1);
    const [slow] = await slots(admission, 'slow', 1);
    slow!.release(OK, 5_000);
    await slots(admission, 'slow', 1);
    const deferral = (await admission.enter(from('slow'))) as Deferral;
    expect(deferral).toMatchObject({ kind: 'deferral' });
    expect(deferral.delayMs).toBeGreaterThanOrEqual(1_000);
  });

  it('never exceeds the total while all answer', async () => {
    const admission = admissionOf(4);
    await prove(admission, 'a', 'b', 'c');
    const held = await slots(admission, 'a', 2);
    await slots(admission, 'b', 1);
    await slots(admission, 'c', 1);
    const waiting = admission.enter(from('d'));
    await vi.advanceTimersByTimeAsync(0);
    expect(admission.size).toBe(4);
    held[0]!.release(OK, 5);
    held[1]!.release(OK, 5);
    expect((await waiting).kind).toBe('slot');
    expect(admission.size).toBe(3);
  });

  it('lets deliveries wait for the total instead of sending them round through the broker, in turns', async () => {
    const admission = admissionOf(4);
    await prove(admission, 'a', 'b', 'c', 'd');
    const held = await slots(admission, 'a', 4);
    const order: string[] = [];
    for (const endpointId of ['b', 'b', 'c', 'd']) {
      void admission.enter(from(endpointId)).then(({ kind }) => order.push(`${endpointId} ${kind}`));
    }
    await vi.advanceTimersByTimeAsync(900);
    expect(order).toEqual([]);
    for (const slot of held) slot.release(OK, 900);
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual(['b slot', 'c slot', 'd slot', 'b slot']);
  });

  it('defers what the total will not take within a second, for as long as all that were put off need', async () => {
    const admission = admissionOf(4);
    for (let n = 0; n < 200; n++) {
      const [slot] = await slots(admission, 'slow', 1);
      await vi.advanceTimersByTimeAsync(2_000);
      slot!.release(OK, 2_000);
    }
    await slots(admission, 'slow', 4);
    const entered = Array.from({ length: 40 }, (_, n) => admission.enter(from(`e_${n}`)));
    await vi.advanceTimersByTimeAsync(1_100);
    const deferrals = (await Promise.all(entered)).filter((one): one is Deferral => one.kind === 'deferral');
    const delays = deferrals.map(({ delayMs }) => delayMs);
    expect(delays.length).toBeGreaterThan(30);
    // Forty at two seconds each, four at a time; and none longer than an endpoint without an answer waits.
    expect(Math.max(...delays)).toBe(15_000);
  });

  it('makes no endpoint suspect for the time in which this process stood still', async () => {
    const admission = admissionOf(100);
    await slots(admission, 'quick', 4);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now + 10_000);
    await vi.advanceTimersByTimeAsync(50);
    expect(await slots(admission, 'quick', 4)).toHaveLength(4);
  });

  it('makes no endpoint suspect for the time before its POST', async () => {
    const admission = admissionOf(100);
    const slot = (await admission.enter(from('quick'))) as Slot;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(admission.suspectCount).toBe(0);
    slot.begin();
    await vi.advanceTimersByTimeAsync(1_100);
    expect(admission.suspectCount).toBe(1);
  });

  it('refuses a slot that is released twice', async () => {
    const [slot] = await slots(admissionOf(4), 'a', 1);
    slot!.release(OK, 5);
    expect(() => slot!.release(OK, 5)).toThrow('once');
  });

  it('sets no timer once nothing is in flight', async () => {
    const admission = admissionOf(4);
    const [slot] = await slots(admission, 'a', 1);
    slot!.release(OK, 5);
    await vi.advanceTimersByTimeAsync(100);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('starts what waits for its turn by the rate that its owner wants to the millisecond, between two checks', async () => {
    const admission = admissionOf(100);
    const began: number[] = [];
    for (let n = 0; n < 5; n++) {
      const entered = admission.enter({ ...from('limited'), rateLimit: 40 });
      void entered.then((one) => (began.push(performance.now()), (one as Slot).release(OK, 1)));
    }
    await vi.advanceTimersByTimeAsync(200);
    const gaps = began.slice(1).map((at, n) => at - began[n]!);
    expect(gaps).toHaveLength(4);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(25);
    for (const gap of gaps) expect(gap).toBeLessThanOrEqual(27);
  });

  it('gives each of several dispatchers an equal part of a rate, and tells why it puts off', async () => {
    const limits = { concurrency: 100, endpointMaxInFlight: 100, attemptTimeoutMs: 15_000 };
    const admission = new AdaptiveAdmission(limits, { count: 4 });
    const enter = () => admission.enter({ ...from('limited'), rateLimit: 2 });
    expect((await enter()).kind).toBe('slot');
    expect(await enter()).toMatchObject({ kind: 'deferral', cause: 'rate_limit' });
    const third = (await enter()) as Deferral;
    // Its turn is in 4 s.
    expect(third.delayMs).toBeGreaterThan(3_000);
    expect(third.delayMs).toBeLessThanOrEqual(4_000);
  });
});

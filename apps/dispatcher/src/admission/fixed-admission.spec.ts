import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Applicant, Deferral, Slot } from './admission.js';
import { FixedAdmission } from './fixed-admission.js';

const OK = { kind: 'response', status: 200 } as const;
const from = (endpointId: string, deferredBefore = false): Applicant => ({
  endpointId,
  origin: `https://${endpointId}.example`,
  deferredBefore,
});

async function slots(admission: FixedAdmission, endpointId: string, count: number): Promise<Slot[]> {
  const admitted = await Promise.all(Array.from({ length: count }, () => admission.enter(from(endpointId))));
  return admitted.map((one) => {
    if (one.kind !== 'slot') throw new Error('was deferred');
    return one;
  });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('FixedAdmission', () => {
  it('lets an endpoint that hangs hold its own limit and no more', async () => {
    const admission = new FixedAdmission({ concurrency: 100, endpointMaxInFlight: 4 });
    await slots(admission, 'hanging', 4);
    const refused = admission.enter(from('hanging'));
    await vi.advanceTimersByTimeAsync(300);
    expect((await refused).kind).toBe('deferral');
    expect(await slots(admission, 'healthy', 4)).toHaveLength(4);
  });

  it('lets one wait in memory that starts soon, in the order of arrival', async () => {
    const admission = new FixedAdmission({ concurrency: 100, endpointMaxInFlight: 1 });
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
    const admission = new FixedAdmission({ concurrency: 100, endpointMaxInFlight: 1 });
    const [unused] = await slots(admission, 'quick', 1);
    const second = admission.enter(from('quick'));
    unused!.giveBack();
    expect(() => unused!.giveBack()).toThrow('once');
    expect(await second).toMatchObject({ kind: 'slot' });
    expect(admission.size).toBe(1);
  });

  it('defers at once what would not start in time', async () => {
    const admission = new FixedAdmission({ concurrency: 100, endpointMaxInFlight: 1 });
    const [slow] = await slots(admission, 'slow', 1);
    slow!.release(OK, 5_000);
    await slots(admission, 'slow', 1);
    const deferral = (await admission.enter(from('slow'))) as Deferral;
    expect(deferral).toMatchObject({ kind: 'deferral' });
    expect(deferral.delayMs).toBeGreaterThanOrEqual(1_000);
  });

  it('spreads deferred ones over the time that the endpoint needs for them', async () => {
    const admission = new FixedAdmission({ concurrency: 100, endpointMaxInFlight: 1 });
    const [slow] = await slots(admission, 'slow', 1);
    slow!.release(OK, 10_000);
    await slots(admission, 'slow', 1);
    const delays: number[] = [];
    for (let n = 0; n < 20; n++) delays.push(((await admission.enter(from('slow'))) as Deferral).delayMs);
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(delays[19]).toBeGreaterThan(delays[0]! * 5);
  });

  it('never exceeds the total', async () => {
    const admission = new FixedAdmission({ concurrency: 4, endpointMaxInFlight: 4 });
    const held = await slots(admission, 'a', 2);
    await slots(admission, 'b', 2);
    const waiting = admission.enter(from('c'));
    expect(admission.size).toBe(4);
    held[0]!.release(OK, 5);
    expect((await waiting).kind).toBe('slot');
    expect(admission.size).toBe(4);
  });

  it('gives a freed slot to whoever waits for the total, whichever endpoint freed it', async () => {
    const admission = new FixedAdmission({ concurrency: 4, endpointMaxInFlight: 3 });
    const a = await slots(admission, 'a', 3);
    await slots(admission, 'b', 1);
    const waiting = admission.enter(from('c'));
    a[0]!.release(OK, 5);
    expect((await waiting).kind).toBe('slot');
  });

  it('lets deliveries wait for the total instead of sending them round through the broker, in turns', async () => {
    const admission = new FixedAdmission({ concurrency: 4, endpointMaxInFlight: 4 });
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
    const admission = new FixedAdmission({ concurrency: 4, endpointMaxInFlight: 4 });
    for (let n = 0; n < 200; n++) {
      const [slot] = await slots(admission, 'slow', 1);
      await vi.advanceTimersByTimeAsync(2_000);
      slot!.release(OK, 2_000);
    }
    await slots(admission, 'slow', 4);
    const entered = Array.from({ length: 40 }, (_, n) => admission.enter(from(`e_${n}`)));
    await vi.advanceTimersByTimeAsync(1_000);
    const deferrals = (await Promise.all(entered)) as Deferral[];
    expect(deferrals.map(({ kind }) => kind)).toEqual(Array.from({ length: 40 }, () => 'deferral'));
    const delays = deferrals.map(({ delayMs }) => delayMs);
    // Forty at two seconds each, four at a time.
    expect(Math.max(...delays)).toBeGreaterThan(15_000);
    expect(Math.max(...delays)).toBeLessThan(25_000);
  });

  it('forgets what the total put off when it comes back', async () => {
    const admission = new FixedAdmission({ concurrency: 4, endpointMaxInFlight: 4 });
    const put = async (deferredBefore: boolean): Promise<number> => {
      const entered = admission.enter(from('late', deferredBefore));
      await vi.advanceTimersByTimeAsync(1_000);
      return ((await entered) as Deferral).delayMs;
    };
    for (let n = 0; n < 300; n++) {
      const [slot] = await slots(admission, 'slow', 1);
      await vi.advanceTimersByTimeAsync(8_000);
      slot!.release(OK, 8_000);
    }
    await slots(admission, 'slow', 4);
    const first = await put(false);
    for (let n = 0; n < 20; n++) expect(await put(true)).toBe(first);
    expect(await put(false)).toBeGreaterThan(first);
  });

  it('refuses a slot that is released twice', async () => {
    const [slot] = await slots(new FixedAdmission({ concurrency: 4, endpointMaxInFlight: 4 }), 'a', 1);
    slot!.release(OK, 5);
    expect(() => slot!.release(OK, 5)).toThrow('once');
  });
});

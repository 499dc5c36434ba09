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

  it('refuses a slot that is released twice', async () => {
    const [slot] = await slots(new FixedAdmission({ concurrency: 4, endpointMaxInFlight: 4 }), 'a', 1);
    slot!.release(OK, 5);
    expect(() => slot!.release(OK, 5)).toThrow('once');
  });
});

import { describe, expect, it, vi } from 'vitest';
import {
  AdmissionSimulation,
  fast,
  first,
  hanging,
  type SimulatedReceiver,
  type Traffic,
} from '../../testing/admission-simulation.js';

// Simulated minutes, which take seconds of a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const DISPATCHER = { concurrency: 500, endpointMaxInFlight: 200, messagesPerMs: 1.5 };
const LANE = 'bulk-0';

const after =
  (ms: number): SimulatedReceiver =>
  () => ({ ms, outcome: 'answered' });

const flood = (group: string, events: number, receiver: SimulatedReceiver, more: Partial<Traffic> = {}): Traffic => ({
  ...{ group, endpoints: 1, originOf: () => group, perSecond: 0, receiver, lane: LANE },
  burst: { at: 1_000, events },
  ...more,
});

const steady = (group: string, perSecond: number, more: Partial<Traffic> = {}): Traffic => ({
  ...{ group, endpoints: 1, originOf: () => group, perSecond, receiver: fast },
  ...more,
});

/** For how long a group's burst took, ms. */
function lasted(simulation: AdmissionSimulation, group: string): number {
  const { delivered } = simulation.results.get(group)!;
  return Math.max(...delivered.map(({ acceptedAt, ms }) => acceptedAt + ms)) - 1_000;
}

describe('what one endpoint has too much of in a bulk lane', () => {
  it.each([
    [300, 10, 300],
    [3_000, 200, 200],
  ])('%i events, %i at a time, %i ms each: takes as long as they need, and none is put off', (events, limit, ms) => {
    const dispatcher = { ...DISPATCHER, concurrency: 2 * limit, endpointMaxInFlight: limit };
    const simulation = new AdmissionSimulation(dispatcher, [flood('flood', events, after(ms))]);
    simulation.runUntil(120_000);
    const { delivered, deferrals } = simulation.results.get('flood')!;
    expect(delivered).toHaveLength(events);
    // The limit grows from eight.
    expect(lasted(simulation, 'flood')).toBeLessThanOrEqual(1.15 * (events / limit) * ms + 5 * ms);
    expect(deferrals).toBe(0);
  });

  it('leaves others in other lanes alone', () => {
    const simulation = new AdmissionSimulation(DISPATCHER, [
      flood('flood', 20_000, after(200)),
      steady('other', 100, { endpoints: 20, originOf: (n) => `other${n}` }),
    ]);
    simulation.runUntil(30_000);
    expect(simulation.p99('other', 2_000, 29_000)).toBeLessThanOrEqual(50);
    expect(simulation.results.get('other')!.deferrals).toBe(0);
  });

  it('leaves those alone who use the same lane before it and after it: they get through while it goes on', () => {
    const simulation = new AdmissionSimulation(DISPATCHER, [
      flood('flood', 5_000, after(2_000), { burst: { at: 10_000, events: 5_000 } }),
      steady('other', 20, { lane: LANE }),
    ]);
    simulation.runUntil(60_000);
    const { delivered, accepted } = simulation.results.get('other')!;
    expect(delivered.length).toBeGreaterThan(accepted - 20);
    expect(simulation.p99('other', 20_000, 59_000)).toBeLessThanOrEqual(2_000);
  });

  it('does not keep the lane to itself when its endpoint begins to hang', () => {
    const simulation = new AdmissionSimulation(DISPATCHER, [
      flood('flood', 2_000, first(after(200), 3_000, hanging)),
      steady('other', 10, { lane: LANE }),
    ]);
    simulation.runUntil(60_000);
    expect(simulation.p99('other', 10_000, 59_000)).toBeLessThanOrEqual(100);
  });

  it('all gets there under lasting overload of a lane by one, in the order of its coming', () => {
    const simulation = new AdmissionSimulation({ ...DISPATCHER, endpointMaxInFlight: 10 }, [
      steady('flood', 60, { receiver: after(300), lane: LANE }),
    ]);
    simulation.runUntil(120_000);
    const { delivered, deferrals } = simulation.results.get('flood')!;
    // 33 a second is what it takes.
    expect(delivered.length).toBeGreaterThan(0.95 * 33 * 118);
    expect(deferrals).toBe(0);
    const order = delivered.map(({ acceptedAt }) => acceptedAt);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('waits also for an endpoint that takes one at a time', () => {
    const dispatcher = { ...DISPATCHER, endpointMaxInFlight: 1 };
    const simulation = new AdmissionSimulation(dispatcher, [flood('flood', 150, after(900))]);
    simulation.runUntil(150_000);
    const { delivered, deferrals } = simulation.results.get('flood')!;
    expect(delivered).toHaveLength(150);
    expect(deferrals).toBe(0);
  });
});

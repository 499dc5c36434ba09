import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { AdmissionSimulation, fast, refusing, slow, type Traffic } from '../../testing/admission-simulation.js';
import { AdmissionPolicy } from './admission-policy.js';

// Simulated minutes, which take seconds of a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const DISPATCHER = { concurrency: 500, endpointMaxInFlight: 200, messagesPerMs: 1.5 };

const limited = (rateLimit: number, more: Partial<Traffic>): Traffic => ({
  group: 'limited',
  endpoints: 1,
  originOf: () => 'limited',
  perSecond: 0,
  receiver: fast,
  rateLimit,
  ...more,
});

function simulate(traffics: readonly Traffic[], end: number) {
  const simulation = new AdmissionSimulation(DISPATCHER, traffics);
  simulation.runUntil(end);
  return { simulation, result: simulation.results.get('limited')! };
}

/** As far apart as that, there are at most rate × window + 1 of them in any window. */
function expectSpaced(began: readonly number[], rateLimit: number): void {
  const gaps = began.slice(1).map((at, n) => at - began[n]!);
  expect(Math.min(Infinity, ...gaps)).toBeGreaterThanOrEqual(1_000 / rateLimit - 1e-6);
}

describe('the highest rate of an endpoint', () => {
  it('is never exceeded, in any window, whatever comes and whatever its receiver does', () => {
    const rates = fc.constantFrom(0.1, 0.3, 1, 2.5, 5, 7, 30, 100, 333, 1_000);
    const receivers = fc.constantFrom(fast, slow, refusing);
    fc.assert(
      fc.property(rates, fc.nat(200), fc.nat(400), receivers, (rateLimit, perSecond, events, receiver) => {
        const traffic = limited(rateLimit, { perSecond, receiver, burst: { at: 3_000, events } });
        const { result } = simulate([traffic], 20_000);
        expectSpaced(result.began, rateLimit);
      }),
      { numRuns: 30 },
    );
  });

  it('delivers all of a burst by the time that it needs, and what its delays round up, with few deferrals each', () => {
    const bursts = fc
      .tuple(fc.constantFrom(0.1, 0.3, 0.5, 1, 2.5, 5, 20, 50, 100), fc.integer({ min: 1, max: 5_000 }))
      .filter(([rateLimit, events]) => events / rateLimit <= 400);
    fc.assert(
      fc.property(bursts, ([rateLimit, events]) => {
        const needsMs = (events / rateLimit) * 1_000;
        // Twice a tenth: the last of them come back together, and are spread again.
        const end = Math.ceil(1.2 * needsMs + 4_000 + 1_000 / rateLimit);
        const { result } = simulate([limited(rateLimit, { burst: { at: 0, events } })], end);
        expect(result.delivered).toHaveLength(events);
        expectSpaced(result.began, rateLimit);
        expect(result.deferrals / events).toBeLessThanOrEqual(4);
        expect(Math.max(...result.delivered.map(({ deferrals }) => deferrals))).toBeLessThanOrEqual(30);
      }),
      { numRuns: 20 },
    );
  });

  it('is made use of under lasting overload, and what comes back is not put off again and again', () => {
    const { result } = simulate([limited(5, { perSecond: 10 })], 200_000);
    expect(result.delivered.length).toBeGreaterThan(0.9 * 5 * 200);
    expect(Math.max(...result.delivered.map(({ deferrals }) => deferrals))).toBeLessThanOrEqual(10);
    expect(result.deferrals).toBeLessThan(2.5 * result.accepted);
  });

  it('delays nothing below it', () => {
    const { simulation, result } = simulate([limited(100, { perSecond: 40 })], 30_000);
    expect(result.deferrals).toBe(0);
    expect(simulation.p99('limited', 0, 29_000)).toBeLessThanOrEqual(150);
  });

  it("leaves others alone, however large one endpoint's surplus is", () => {
    const healthy: Traffic = {
      group: 'healthy',
      endpoints: 100,
      originOf: (n) => `healthy${n}`,
      perSecond: 500,
      receiver: fast,
    };
    const burst = { at: 5_000, events: 3_000 };
    const { simulation, result } = simulate([healthy, limited(20, { perSecond: 200, burst })], 30_000);
    expect(simulation.p99('healthy', 0, 5_000)).toBeLessThanOrEqual(50);
    // It takes the dispatcher 4 s to put 3,000 off, in the order of arrival.
    expect(simulation.p99('healthy', 10_000, 29_000)).toBeLessThanOrEqual(50);
    expect(simulation.results.get('healthy')!.deferrals).toBe(0);
    expectSpaced(result.began, 20);
  });

  it('counts for what has booked already as soon as its owner changes it', () => {
    const policy = new AdmissionPolicy({ concurrency: 40, endpointMaxInFlight: 20, attemptTimeoutMs: 15_000 });
    const ask = (ratePerSecond: number | undefined, now: number) =>
      policy.ask({ endpointId: 'e', origin: 'o', due: false, ratePerSecond }, now);
    expect(ask(0.1, 0).kind).toBe('start');
    expect(ask(0.1, 0)).toMatchObject({ kind: 'defer', obstacle: 'rate' });
    const far = ask(0.1, 0);
    expect(far.kind === 'defer' && far.delayMs).toBeGreaterThan(19_000);
    const near = ask(1, 0);
    expect(near.kind === 'defer' && near.delayMs).toBeLessThan(4_000);
    expect(ask(undefined, 1).kind).toBe('start');
  });

  it('says when the one is to be started that waits for its turn in memory', () => {
    const policy = new AdmissionPolicy({ concurrency: 40, endpointMaxInFlight: 20, attemptTimeoutMs: 15_000 });
    const ask = (now: number) => policy.ask({ endpointId: 'e', origin: 'o', due: false, ratePerSecond: 4 }, now);
    expect([ask(0).kind, ask(1).kind, ask(2).kind]).toEqual(['start', 'wait', 'wait']);
    expect(policy.nextRateTurnAt).toBe(250);
    expect(policy.advance(249)).toEqual([]);
    expect(policy.advance(250)).toHaveLength(1);
    expect(policy.nextRateTurnAt).toBe(500);
    expect(policy.advance(500)).toHaveLength(1);
    expect(policy.nextRateTurnAt).toBe(Infinity);
  });
});

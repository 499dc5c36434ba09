import { describe, expect, it, vi } from 'vitest';
import {
  AdmissionSimulation,
  fast,
  first,
  hanging,
  refusing,
  slow,
  type Traffic,
} from '../../testing/admission-simulation.js';

// Simulated minutes, which take seconds of a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const DISPATCHER = { concurrency: 500, endpointMaxInFlight: 200, messagesPerMs: 1.5 };
const BEGINS = 5_000;
const END = 40_000;
/** Fast receivers alone: 42 ms. */
const HEALTHY_P99_MS = 50;

const ownOrigin =
  (group: string) =>
  (n: number): string =>
    `${group}${n}`;
const oneOrigin = (group: string) => (): string => group;

const healthy: Traffic = {
  group: 'healthy',
  endpoints: 100,
  originOf: ownOrigin('healthy'),
  perSecond: 500,
  receiver: fast,
};

const traffic = (group: string, endpoints: number, perSecond: number, receiver: Traffic['receiver']): Traffic => ({
  group,
  endpoints,
  originOf: ownOrigin(group),
  perSecond,
  receiver,
});

function simulate(traffics: readonly Traffic[], end = END): AdmissionSimulation {
  const simulation = new AdmissionSimulation(DISPATCHER, traffics);
  simulation.runUntil(end);
  return simulation;
}

/** Answers after four seconds, or not at all, as a receiver does that gets more than it can do. */
const struggling: Traffic['receiver'] = (_now, random) =>
  random() < 0.7 ? { ms: 4_000, outcome: 'answered' } : { ms: 15_000, outcome: 'timed out' };

/** In each phase: while all is well, the first seconds of trouble, and later. */
function healthyP99s(simulation: AdmissionSimulation, end: number): number[] {
  const phases = [0, BEGINS, BEGINS + 5_000, end - 1_000];
  return phases.slice(1).map((until, n) => simulation.p99('healthy', phases[n]!, until));
}

function expectUnharmed(simulation: AdmissionSimulation, end = END): void {
  for (const p99 of healthyP99s(simulation, end)) expect(p99).toBeLessThanOrEqual(HEALTHY_P99_MS);
  expect(simulation.results.get('healthy')!.deferrals).toBe(0);
}

describe('healthy endpoints are delivered to as if they were alone', () => {
  it('beside ten that need two seconds and twenty that hang', () => {
    const simulation = simulate([
      healthy,
      traffic('slow', 10, 20, first(fast, BEGINS, slow)),
      traffic('hanging', 20, 100, first(fast, BEGINS, hanging)),
    ]);
    expectUnharmed(simulation);
    // And the slow ones get what they can take.
    expect(simulation.results.get('slow')!.delivered.length).toBeGreaterThan(0.8 * 20 * 35);
  });

  it('beside 5,000 endpoints of one origin that begin to hang', () => {
    const group = traffic('hanging', 5_000, 400, first(fast, BEGINS, hanging));
    expectUnharmed(simulate([healthy, { ...group, originOf: oneOrigin('hanging') }]));
  });

  it('beside 5,000 endpoints of as many origins that begin to hang', () => {
    expectUnharmed(simulate([healthy, traffic('hanging', 5_000, 400, first(fast, BEGINS, hanging))]));
  });

  it('beside 5,000 endpoints that begin to refuse', () => {
    expectUnharmed(simulate([healthy, traffic('refusing', 5_000, 400, first(fast, BEGINS, refusing))]));
  });

  it('beside one huge endpoint that begins to hang', () => {
    expectUnharmed(simulate([healthy, traffic('huge', 1, 400, first(fast, BEGINS, hanging))]));
  });
});

describe('endpoints with little traffic', () => {
  it('get each event beside many that need more slots than there are', () => {
    const needy: Traffic['receiver'] = () => ({ ms: 900, outcome: 'answered' });
    const simulation = simulate([traffic('needy', 120, 700, needy), traffic('quiet', 20, 1, fast)], 90_000);
    const { accepted, delivered } = simulation.results.get('quiet')!;
    // They got two in a hundred while whoever had just answered held all that others could have had.
    expect(delivered.length).toBeGreaterThanOrEqual(accepted - 2);
    expect(simulation.p99('quiet', 0, 85_000)).toBeLessThanOrEqual(1_000);
    expect(simulation.results.get('needy')!.delivered.length).toBeGreaterThan(0.9 * 44_700);
  });
});

describe('an endpoint that alone has traffic', () => {
  it('gets 1,200 a second delivered', () => {
    const simulation = simulate([traffic('alone', 1, 1_200, fast)], 20_000);
    expect(simulation.p99('alone', 5_000, 19_000)).toBeLessThanOrEqual(HEALTHY_P99_MS);
  });
});

describe('what was deferred', () => {
  it('is delivered once its receiver answers again, and the deferrals were flat and used up no try', () => {
    const answersAgain = BEGINS + 30_000;
    const receiver = first(fast, BEGINS, first(hanging, answersAgain, fast));
    const simulation = new AdmissionSimulation(DISPATCHER, [
      { ...healthy, perSecond: 100 },
      traffic('back', 20, 50, receiver),
    ]);
    const back = simulation.results.get('back')!;
    simulation.runUntil(answersAgain);
    // No more than a few for each event of the outage.
    expect(back.deferrals).toBeLessThan(3 * 30 * 50);
    simulation.runUntil(180_000);
    const late = 2 * 50;
    expect(back.delivered.length).toBeGreaterThan(back.accepted - late);
    expectUnharmed(simulation, 180_000);
  });

  it('while its receiver was slow for half a minute is delivered within a minute after, and deferrals are few', () => {
    const answersAgain = BEGINS + 30_000;
    const simulation = new AdmissionSimulation(DISPATCHER, [
      traffic('overloaded', 6, 60, first(fast, BEGINS, first(struggling, answersAgain, fast))),
    ]);
    simulation.runUntil(answersAgain + 150_000);
    const { delivered, deferrals } = simulation.results.get('overloaded')!;
    const before = delivered.filter(({ acceptedAt }) => acceptedAt < answersAgain);
    const after = before.map(({ acceptedAt, ms }) => acceptedAt + ms - answersAgain);
    // Hundreds of them, and for five minutes where deferrals were rounded up to their rungs.
    expect(after.filter((ms) => ms > 0).length).toBeGreaterThan(500);
    expect(Math.max(...after)).toBeLessThan(60_000);
    expect(deferrals).toBeLessThan(3 * 30 * 60);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { AdmissionSimulation, hanging, type SimulatedReceiver } from '../../testing/admission-simulation.js';

// Simulated seconds, which take as long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const SLOTS = 500;
const RULES = readFileSync(join(import.meta.dirname, '../../../../../deploy/observability/rules.yaml'), 'utf8');
const FULL = Number(/webhook_slots_in_use\) \/ sum\(webhook_attempts_limit\) > ([\d.]+)/.exec(RULES)![1]);

const answersAfter =
  (ms: number): SimulatedReceiver =>
  () => ({ ms, outcome: 'answered' });

/** The shares of the slots that are in use, and of attempts in flight, from 8 s on while more comes than they can take. */
function sharesInUse(endpoints: number, receiver: SimulatedReceiver) {
  const originOf = (n: number): string => `origin${n}`;
  const traffic = { group: 'busy', endpoints, originOf, perSecond: 1_200, receiver };
  const simulation = new AdmissionSimulation({ concurrency: SLOTS, endpointMaxInFlight: 200, messagesPerMs: 1.5 }, [
    traffic,
  ]);
  const [inUse, inFlight]: [number[], number[]] = [[], []];
  for (let at = 8_000; at <= 14_000; at += 250) {
    simulation.runUntil(at);
    inUse.push(simulation.policy.slotsInUse / SLOTS);
    inFlight.push(simulation.policy.inFlight / SLOTS);
  }
  return { inUse, inFlight };
}

describe('the alert that the dispatchers are full', () => {
  it.each([2, 20, 63, 130])(
    'sees it all the time while %i endpoints that answer get less than they could take, though they share three quarters',
    (endpoints) => {
      expect(Math.min(...sharesInUse(endpoints, answersAfter(500)).inUse)).toBeGreaterThan(FULL);
    },
  );

  it('takes no receivers that hang for it, however many attempts they hold: others have their slots', () => {
    const { inUse, inFlight } = sharesInUse(2_000, hanging);
    expect(Math.max(...inFlight)).toBeGreaterThan(1);
    expect(Math.max(...inUse)).toBeLessThan(FULL);
  });
});

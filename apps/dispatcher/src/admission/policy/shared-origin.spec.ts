import { DEFAULT_RETRY_SCHEDULE, nextLongerRung, parseRetrySchedule, turnRungs } from '@form-webhooks/domain';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { AdmissionPolicy, type Decided, type Defer, type Outcome, type Start } from './admission-policy.js';

// Simulated hours, which take seconds of a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const LIMITS = { concurrency: 40, endpointMaxInFlight: 20, attemptTimeoutMs: 15_000 };
const TICK_MS = 50;
const MINUTE_MS = 60_000;
const TURN_RUNGS_MS = turnRungs(parseRetrySchedule(DEFAULT_RETRY_SCHEDULE));

type Receiver = (now: number) => { readonly outcome: Outcome; readonly ms: number };
const answers: Receiver = () => ({ outcome: 'answered', ms: 20 });
const refuses: Receiver = () => ({ outcome: 'failed', ms: 5 });
const hangs: Receiver = () => ({ outcome: 'timed out', ms: 15_000 });

const badFrom =
  (at: number, then: Receiver): Receiver =>
  (now) =>
    now < at ? answers(now) : then(now);

interface Sibling {
  readonly id: string;
  readonly receiver: Receiver;
  /** Whether an event for it comes in a tick. */
  readonly comesAt: (now: number) => boolean;
}

const each =
  (ms: number, firstAt = 0) =>
  (now: number): boolean =>
    now >= firstAt && (now - firstAt) % ms === 0;

/** Endpoints of one origin, each of whose deliveries comes back when it was put off, and is given up when it failed. */
class SharedOrigin {
  /** How long each answered event waited for its attempt, ms, by endpoint. */
  readonly waited = new Map<string, number[]>();
  attempts = 0;
  /** Events that were neither answered nor failed, by endpoint. */
  readonly pending = new Map<string, number>();
  private readonly policy = new AdmissionPolicy(LIMITS);
  private readonly later = new Map<number, (() => void)[]>();
  private readonly waiting = new Map<unknown, (decision: Start | Defer) => void>();
  private now = 0;

  constructor(private readonly siblings: readonly Sibling[]) {
    for (const { id } of siblings) {
      this.waited.set(id, []);
      this.pending.set(id, 0);
    }
  }

  runUntil(end: number): void {
    for (; this.now < end; this.now += TICK_MS) {
      this.tell(this.policy.advance(this.now));
      for (const happen of this.later.get(this.now) ?? []) happen();
      this.later.delete(this.now);
      for (const one of this.siblings) if (one.comesAt(this.now)) this.accept(one);
    }
  }

  private accept(one: Sibling): void {
    this.pending.set(one.id, this.pending.get(one.id)! + 1);
    this.ask(one, this.now);
  }

  private ask(one: Sibling, cameAt: number, due = false): void {
    const decision = this.policy.ask({ endpointId: one.id, origin: 'host', due }, this.now);
    const carryOut = (decided: Start | Defer): void => this.carryOut(one, cameAt, decided);
    if (decision.kind === 'wait') this.waiting.set(decision.waiting, carryOut);
    else carryOut(decision);
  }

  private carryOut(one: Sibling, cameAt: number, decision: Start | Defer): void {
    if (decision.kind === 'defer') {
      return this.in(nextLongerRung(TURN_RUNGS_MS, decision.delayMs), () => this.ask(one, cameAt, true));
    }
    this.attempts += 1;
    const beganAt = this.now;
    this.policy.begin(decision.attempt, beganAt);
    const { outcome, ms } = one.receiver(beganAt);
    this.in(ms, () => {
      this.pending.set(one.id, this.pending.get(one.id)! - 1);
      if (outcome === 'answered') this.waited.get(one.id)!.push(beganAt - cameAt);
      this.tell(this.policy.end(decision.attempt, outcome, this.now));
    });
  }

  private tell(decided: readonly Decided[]): void {
    for (const { waiting, decision } of decided) {
      const carryOut = this.waiting.get(waiting)!;
      this.waiting.delete(waiting);
      carryOut(decision);
    }
  }

  private in(ms: number, happen: () => void): void {
    const at = this.now + TICK_MS * Math.ceil(ms / TICK_MS);
    this.later.set(at, [...(this.later.get(at) ?? []), happen]);
  }
}

const failing = fc
  .array(fc.record({ receiver: fc.constantFrom(refuses, hangs), eachMs: fc.constantFrom(100, 200, 1_000, 5_000) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((all) => all.map(({ receiver, eachMs }, n): Sibling => ({ id: `dead${n}`, receiver, comesAt: each(eachMs) })));

describe('an endpoint that is well and has little traffic', () => {
  it('gets each event at once, while busy siblings of its origin fail', () => {
    // Not in their first half minute, in which nothing is paced yet.
    const halfSeconds = fc.integer({ min: 120, max: 1_200 });
    fc.assert(
      fc.property(failing, halfSeconds, halfSeconds, (dead, apart, firstAt) => {
        const well = { id: 'well', receiver: answers, comesAt: each(apart * 500, firstAt * 500) };
        const origin = new SharedOrigin([...dead, well]);
        origin.runUntil(30 * MINUTE_MS);
        expect(origin.waited.get('well')!.length).toBeGreaterThan(0);
        expect(Math.max(...origin.waited.get('well')!)).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: 8 },
    );
  });

  it('gets each event soon, also after a sibling that was as well as it has begun to hang', () => {
    fc.assert(
      fc.property(failing, fc.constantFrom(refuses, hangs), (dead, receiver) => {
        const turnsBad = { id: 'turns bad', receiver: badFrom(10 * MINUTE_MS, receiver), comesAt: each(MINUTE_MS) };
        const well = { id: 'well', receiver: answers, comesAt: each(MINUTE_MS, MINUTE_MS + 500) };
        const origin = new SharedOrigin([...dead, turnsBad, well]);
        origin.runUntil(30 * MINUTE_MS);
        expect(origin.waited.get('well')!.length).toBeGreaterThanOrEqual(27);
        expect(Math.max(...origin.waited.get('well')!)).toBeLessThanOrEqual(MINUTE_MS);
      }),
      { numRuns: 8 },
    );
  });

  it('gets what was put off in an outage of them all about as long after it, while its siblings stay away', () => {
    fc.assert(
      fc.property(failing, fc.integer({ min: 1, max: 10 }), (dead, minutes) => {
        const backAt = minutes * MINUTE_MS;
        const receiver: Receiver = (now) => (now < backAt ? refuses(now) : answers(now));
        const comesAt = (now: number): boolean => now < backAt && now % 10_000 === 0;
        const origin = new SharedOrigin([...dead, { id: 'well', receiver, comesAt }]);
        // Siblings that fail have their turns meanwhile, up to a minute apart.
        origin.runUntil(3 * backAt + 10 * MINUTE_MS);
        expect(origin.pending.get('well')).toBe(0);
      }),
      { numRuns: 8 },
    );
  });
});

it('a thousand endpoints of one origin that hang are asked a few times a minute in all', () => {
  const comesAt = (n: number) => each(20_000, TICK_MS * (n % 400));
  const dead = Array.from({ length: 1_000 }, (_, n) => ({ id: `dead${n}`, receiver: hangs, comesAt: comesAt(n) }));
  const origin = new SharedOrigin(dead);
  origin.runUntil(2 * MINUTE_MS);
  const before = origin.attempts;
  origin.runUntil(12 * MINUTE_MS);
  expect(origin.attempts - before).toBeGreaterThanOrEqual(8);
  expect(origin.attempts - before).toBeLessThanOrEqual(60);
});

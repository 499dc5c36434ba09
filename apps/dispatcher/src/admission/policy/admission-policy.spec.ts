import { DEFERRAL_RUNGS_MS, nextLongerRung } from '@form-webhooks/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdmissionPolicy, type Decided, type Outcome, type Start, type Wait } from './admission-policy.js';
import type { RunningAttempt } from './young-attempts.js';

const LIMITS = { concurrency: 40, endpointMaxInFlight: 20, attemptTimeoutMs: 15_000 };

/** The policy with a clock that the test moves. */
class Stage {
  now = 0;
  readonly policy: AdmissionPolicy;

  constructor(limits: Partial<typeof LIMITS & { rememberedMax: number }> = {}) {
    this.policy = new AdmissionPolicy({ ...LIMITS, ...limits });
  }

  ask(endpointId: string, { origin = endpointId, due = false } = {}) {
    const decision = this.policy.ask({ endpointId, origin, due }, this.now);
    return decision.kind === 'start' ? this.begun(decision) : decision;
  }

  start(endpointId: string, origin = endpointId): RunningAttempt {
    const decision = this.ask(endpointId, { origin });
    if (decision.kind !== 'start') throw new Error(`${endpointId}: ${decision.kind}`);
    return decision.attempt;
  }

  /** As many attempts as it may begin now, at most so many. */
  startAll(endpointId: string, count: number, origin = endpointId): RunningAttempt[] {
    const decisions = Array.from({ length: count }, () => this.ask(endpointId, { origin }));
    return decisions.flatMap((one) => (one.kind === 'start' ? [one.attempt] : []));
  }

  /** One attempt that ends so. */
  attempt(endpointId: string, outcome: Outcome, ms = 5, origin = endpointId): void {
    const attempt = this.start(endpointId, origin);
    this.pass(ms);
    this.policy.end(attempt, outcome, this.now);
  }

  end(attempt: RunningAttempt, outcome: Outcome = 'answered'): Decided[] {
    return this.policy.end(attempt, outcome, this.now).map((one) => this.withBegun(one));
  }

  pass(ms: number): Decided[] {
    const decided: Decided[] = [];
    for (const end = this.now + ms; this.now < end;) {
      this.now = Math.min(end, this.now + 50);
      decided.push(...this.policy.advance(this.now).map((one) => this.withBegun(one)));
    }
    return decided;
  }

  /** Its POST begins as soon as it has its slot. */
  private begun(start: Start): Start {
    this.policy.begin(start.attempt, this.now);
    return start;
  }

  private withBegun(decided: Decided): Decided {
    if (decided.decision.kind === 'start') this.begun(decided.decision);
    return decided;
  }

  deferral(endpointId: string, origin = endpointId): number {
    const decision = this.ask(endpointId, { origin });
    if (decision.kind !== 'defer') throw new Error(`${endpointId}: ${decision.kind}`);
    return decision.delayMs;
  }
}

describe('the endpoints of one origin', () => {
  it('have at most half of the slots together, also while they answer', () => {
    const stage = new Stage({ endpointMaxInFlight: 10 });
    for (let n = 0; n < 10; n++) stage.attempt(`we_${n}`, 'answered', 5, 'host');
    const started = Array.from({ length: 10 }, (_, n) => stage.startAll(`we_${n}`, 8, 'host')).flat();
    expect(started).toHaveLength(20);
    stage.start('we_other');
    stage.end(started[0]!);
    expect(stage.policy.inFlight).toBe(21);
  });

  it('that answer keep getting slots while their siblings hang', () => {
    const stage = new Stage({ endpointMaxInFlight: 10 });
    stage.attempt('we_answers', 'answered', 5, 'host');
    for (let n = 0; n < 10; n++) stage.startAll(`we_hangs_${n}`, 8, 'host');
    expect(stage.policy.inFlight).toBe(20);
    expect(stage.ask('we_hangs_too', { origin: 'host' }).kind).not.toBe('start');
    expect(stage.startAll('we_answers', 4, 'host')).toHaveLength(4);
  });
});

describe('the limit of an endpoint', () => {
  it('grows while it answers, up to what one endpoint may have', () => {
    const stage = new Stage();
    expect(stage.startAll('new', 40)).toHaveLength(8);
    const quick = new Stage();
    const running = quick.startAll('quick', 8);
    let most = 0;
    for (let n = 0; n < 200; n++) {
      quick.now += 1;
      running.push(...quick.startAll('quick', 2));
      for (const { decision } of quick.end(running.shift()!)) running.push((decision as Start).attempt);
      most = Math.max(most, quick.policy.inFlight);
    }
    expect(most).toBe(20);
  });

  it('halves with each time-out, and leaves one attempt', () => {
    const stage = new Stage();
    for (const one of stage.startAll('late', 8)) stage.end(one, 'timed out');
    expect(stage.startAll('late', 8)).toHaveLength(1);
  });

  it('is a fair share of the slots under contention', () => {
    const stage = new Stage();
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      const attempts = stage.startAll(id, 8);
      for (const one of attempts) stage.end(one);
    }
    const held = ['a', 'b', 'c'].map((id) => stage.startAll(id, 8).length);
    expect(held).toEqual([8, 8, 8]);
    // Thirty of forty slots for four.
    expect(stage.startAll('d', 12)).toHaveLength(7);
  });
});

describe('suspicion', () => {
  it('falls on an endpoint and its origin while the attempt still runs', () => {
    const stage = new Stage();
    for (const id of ['hanging', 'sibling']) stage.attempt(id, 'answered', 5, 'origin');
    stage.start('hanging', 'origin');
    stage.pass(1_100);
    // Suspects share a quarter of forty slots, and those of this origin have one already.
    const started = ['hanging', 'sibling', 'third'].flatMap((id) => stage.startAll(id, 20, 'origin'));
    expect(started).toHaveLength(9);
  });

  it('falls on nobody before the POST begins, however long config is asked once more', () => {
    const stage = new Stage();
    stage.attempt('known', 'answered');
    const { attempt } = stage.policy.ask({ endpointId: 'known', origin: 'known', due: false }, stage.now) as Start;
    stage.pass(4_000);
    expect(stage.policy.suspectCount).toBe(0);
    expect(stage.startAll('known', 8)).toHaveLength(7);
    stage.policy.begin(attempt, stage.now);
    stage.pass(950);
    expect(stage.policy.suspectCount).toBe(0);
    stage.pass(100);
    expect(stage.policy.suspectCount).toBe(1);
  });

  it('ends with the first answer, of the endpoint and of its origin', () => {
    const stage = new Stage();
    stage.attempt('hanging', 'answered', 5, 'origin');
    const late = stage.start('hanging', 'origin');
    stage.pass(1_500);
    stage.end(late);
    expect(stage.startAll('sibling', 8, 'origin')).toHaveLength(8);
    expect(stage.startAll('hanging', 8, 'origin')).toHaveLength(8);
  });

  it('spares who answered others since that attempt began', () => {
    const stage = new Stage();
    stage.attempt('mostly-quick', 'answered');
    const stuck = Array.from({ length: 4 }, () => stage.start('mostly-quick'));
    stage.pass(500);
    stage.attempt('mostly-quick', 'answered');
    stage.pass(700);
    expect(stuck).toHaveLength(4);
    expect(stage.startAll('mostly-quick', 4)).toHaveLength(4);
  });

  it('takes no slot from others for what suspects hold beyond their quarter', () => {
    const stage = new Stage({ endpointMaxInFlight: 40 });
    const healthy = ['a', 'b', 'c', 'd', 'e'];
    for (const id of [...healthy, 'v', 'w', 'x']) stage.attempt(id, 'answered');
    const hanging = ['v', 'w', 'x'].flatMap((id) => stage.startAll(id, 8));
    expect(hanging).toHaveLength(24);
    stage.pass(1_100);
    for (const id of healthy) stage.attempt(id, 'answered');
    const others = healthy.flatMap((id) => stage.startAll(id, 8));
    // All but a quarter.
    expect(others).toHaveLength(30);
    expect(stage.policy.inFlight).toBe(54);
  });
});

describe('whoever has not answered for five seconds', () => {
  it('shares half of the slots, and the rest stays for those that have', () => {
    const stage = new Stage();
    stage.attempt('proven', 'answered');
    const unproven = Array.from({ length: 30 }, (_, n) => stage.startAll(`new${n}`, 1)).flat();
    expect(unproven).toHaveLength(20);
    // As many as any endpoint may have that is not suspect.
    expect(stage.startAll('proven', 8)).toHaveLength(4);
  });

  it('counts as proven by an answer of its origin', () => {
    const stage = new Stage();
    stage.attempt('sibling', 'answered', 5, 'origin');
    Array.from({ length: 30 }, (_, n) => stage.startAll(`new${n}`, 1));
    expect(stage.startAll('unheard', 1, 'origin')).toHaveLength(1);
  });

  it('leaves a quarter of the slots to those that answered within the last second', () => {
    const stage = new Stage({ endpointMaxInFlight: 40 });
    const ids = Array.from({ length: 40 }, (_, n) => `answered${n}`);
    for (const id of ids) stage.end(stage.start(id));
    stage.pass(2_000);
    expect(ids.flatMap((id) => stage.startAll(id, 1))).toHaveLength(30);
  });
});

describe('pacing', () => {
  /** It has failed for long enough. */
  function failing(origin = 'down'): Stage {
    const stage = new Stage();
    for (let n = 0; n < 3; n++) {
      stage.attempt('down', 'failed', 1_000, origin);
      stage.pass(2_000);
    }
    return stage;
  }

  it('lets one attempt start at a time, each after a longer pause, up to a minute', () => {
    const stage = failing();
    const starts: number[] = [];
    const end = stage.now + 400_000;
    while (stage.now < end) {
      const decision = stage.ask('down');
      if (decision.kind === 'start') {
        starts.push(stage.now);
        expect(stage.ask('down').kind).toBe('defer');
        stage.end(decision.attempt, 'failed');
      }
      stage.pass(500);
    }
    // The first second is over before the first start.
    const pauses = starts.slice(1).map((at, n) => at - starts[n]!);
    expect(pauses.slice(0, 7)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('holds for the whole origin', () => {
    const stage = failing('origin');
    const attempt = stage.start('sibling', 'origin');
    expect(stage.ask('other', { origin: 'origin' }).kind).toBe('defer');
    stage.end(attempt, 'answered');
    expect(stage.startAll('other', 8, 'origin')).toHaveLength(8);
  });

  it('ends with the first answer', () => {
    const stage = failing();
    stage.attempt('down', 'answered');
    expect(stage.startAll('down', 3)).toHaveLength(3);
  });

  it('waits for three failures over five seconds: a receiver that restarts is asked as before', () => {
    const stage = new Stage();
    for (let n = 0; n < 5; n++) stage.attempt('restarting', 'failed', 500);
    expect(stage.startAll('restarting', 8)).toHaveLength(8);
  });
});

describe('a wait in memory', () => {
  it('ends when the endpoint has room, in the order of arrival and new ones first', () => {
    const stage = new Stage({ endpointMaxInFlight: 1 });
    const running = stage.start('quick');
    const due = stage.ask('quick', { due: true }) as Wait;
    const fresh = stage.ask('quick') as Wait;
    expect([due.kind, fresh.kind]).toEqual(['wait', 'wait']);
    stage.now += 5;
    const [firstOne] = stage.end(running);
    expect(firstOne!.waiting).toBe(fresh.waiting);
    const [secondOne] = stage.end((firstOne!.decision as Start).attempt);
    expect(secondOne!.waiting).toBe(due.waiting);
  });

  it('is followed by a deferral after 300 ms', () => {
    const stage = new Stage({ endpointMaxInFlight: 1 });
    stage.start('stuck');
    const { waiting } = stage.ask('stuck') as Wait;
    expect(stage.pass(250)).toEqual([]);
    expect(stage.pass(50)).toMatchObject([{ waiting, decision: { kind: 'defer' } }]);
  });

  it('is not made for an endpoint that will not have room in time', () => {
    const stage = new Stage({ endpointMaxInFlight: 1 });
    for (let n = 0; n < 10; n++) stage.attempt('slow', 'answered', 900);
    stage.start('slow');
    expect(stage.deferral('slow')).toBeGreaterThanOrEqual(1_000);
  });

  it('for its own limit leaves places to others, however much one endpoint gets', () => {
    const stage = new Stage({ endpointMaxInFlight: 1, concurrency: 40 });
    for (const id of ['flood', 'other']) {
      for (let n = 0; n < 20; n++) stage.attempt(id, 'answered');
      stage.start(id);
    }
    const kinds = Array.from({ length: 100 }, () => stage.ask('flood').kind);
    expect(kinds.filter((kind) => kind === 'wait')).toHaveLength(5);
    expect(stage.ask('other').kind).toBe('wait');
  });

  it('for the total leaves places to others, however much one endpoint gets', () => {
    const stage = new Stage({ concurrency: 40 });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    for (const id of [...ids, 'flood', 'other']) stage.attempt(id, 'answered');
    for (const id of ids) stage.startAll(id, 8);
    const kinds = Array.from({ length: 100 }, () => stage.ask('flood').kind);
    expect(kinds.filter((kind) => kind === 'wait').length).toBeLessThanOrEqual(20);
    expect(stage.ask('other').kind).toBe('wait');
  });

  it('is not made by more than a quarter of the slots for their own limit', () => {
    const stage = new Stage({ endpointMaxInFlight: 1, concurrency: 40 });
    const kinds = Array.from({ length: 15 }, (_, n) => (stage.start(`e${n}`), stage.ask(`e${n}`).kind));
    expect(kinds.filter((kind) => kind === 'wait')).toHaveLength(10);
  });
});

describe('a deferral', () => {
  it('lasts as long as the endpoint needs for what was deferred before', () => {
    const stage = new Stage({ endpointMaxInFlight: 1 });
    for (let n = 0; n < 20; n++) stage.attempt('slow', 'answered', 900);
    stage.start('slow');
    const delays = Array.from({ length: 20 }, () => stage.deferral('slow'));
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(delays[19]).toBeGreaterThan(15_000);
    expect(delays[19]).toBeLessThan(20_000);
  });

  it('is forgotten as time passes, whether or not it comes back here', () => {
    const stage = new Stage({ endpointMaxInFlight: 1 });
    for (let n = 0; n < 20; n++) stage.attempt('slow', 'answered', 900);
    const running = stage.start('slow');
    const soonest = stage.deferral('slow');
    for (let n = 0; n < 20; n++) stage.deferral('slow');
    stage.end(running);
    stage.pass(20_000);
    stage.attempt('slow', 'answered', 900);
    stage.start('slow');
    expect(stage.deferral('slow')).toBe(soonest);
  });

  it('lasts half a minute at most at first, and later half as long as there was too much', () => {
    const stage = new Stage({ endpointMaxInFlight: 1 });
    for (let n = 0; n < 20; n++) stage.attempt('slow', 'answered', 4_000);
    const longest: number[] = [];
    for (let n = 0; n < 60; n++) {
      const attempt = stage.start('slow');
      longest.push(Math.max(...Array.from({ length: 100 }, () => stage.deferral('slow'))));
      stage.pass(4_000);
      stage.end(attempt);
    }
    expect(longest.slice(0, 15)).toEqual(Array.from({ length: 15 }, () => 30_000));
    expect(longest[30]).toBe(60_000);
    expect(longest[59]).toBe(118_000);
  });

  it('of an endpoint without an answer lasts no longer than its trouble, or fifteen seconds', () => {
    const stage = new Stage();
    stage.startAll('hanging', 8);
    stage.pass(1_100);
    stage.startAll('hanging', 10);
    for (let n = 0; n < 500; n++) expect(stage.deferral('hanging')).toBeLessThanOrEqual(15_000);
    for (let second = 0; second < 120; second++) {
      stage.pass(1_000);
      stage.deferral('hanging');
    }
    const longest = Math.max(...Array.from({ length: 2_000 }, () => stage.deferral('hanging')));
    expect(longest).toBeGreaterThan(50_000);
    expect(longest).toBeLessThanOrEqual(60_000);
  });

  it('of an endpoint without an answer is not rounded up to a rung that is longer than its trouble', () => {
    const stage = new Stage();
    stage.startAll('hanging', 8);
    for (let minutes = 0; minutes < 30; minutes++) {
      stage.pass(60_000);
      const longest = Math.max(...Array.from({ length: 2_000 }, () => stage.deferral('hanging')));
      expect(nextLongerRung(DEFERRAL_RUNGS_MS, longest)).toBeLessThanOrEqual(stage.now);
    }
  });
});

it('remembers a bounded number of endpoints, and forgets none that has attempts in flight', () => {
  const stage = new Stage({ rememberedMax: 10, concurrency: 4_000 });
  const held = Array.from({ length: 8 }, (_, n) => stage.start(`held${n}`));
  for (let n = 0; n < 1_000; n++) stage.attempt(`passing${n}`, 'answered', 1);
  expect(stage.policy.knownCount).toBe(10);
  for (const one of held) stage.end(one);
  expect(stage.policy.inFlight).toBe(0);
});

describe('whatever happens', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('ask' as const),
      endpoint: fc.nat(6),
      origin: fc.nat(2),
      due: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('end' as const),
      nth: fc.nat(1_000),
      outcome: fc.constantFrom<Outcome>('answered', 'failed', 'timed out', 'nothing'),
    }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 40, 300, 1_500, 20_000) }),
  );

  it('keeps to its bounds and forgets no delivery', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const stage = new Stage({ concurrency: 8, endpointMaxInFlight: 5 });
        const running: RunningAttempt[] = [];
        const waits = new Set<unknown>();
        const take = (decided: readonly Decided[]): void => {
          for (const { waiting, decision } of decided) {
            expect(waits.delete(waiting)).toBe(true);
            if (decision.kind === 'start') running.push(decision.attempt);
            else expect(decision.delayMs).toBeGreaterThanOrEqual(1_000);
          }
        };
        for (const one of steps) {
          if (one.kind === 'pass') take(stage.pass(one.ms));
          else if (one.kind === 'end' && running.length > 0) {
            const [attempt] = running.splice(one.nth % running.length, 1);
            take(stage.end(attempt!, one.outcome));
          } else if (one.kind === 'ask') {
            const decision = stage.ask(`e${one.endpoint}`, { origin: `o${one.origin}`, due: one.due });
            if (decision.kind === 'start') running.push(decision.attempt);
            else if (decision.kind === 'wait') waits.add(decision.waiting);
            else expect(Number.isFinite(decision.delayMs) && decision.delayMs >= 1_000).toBe(true);
          }
          expect(stage.policy.inFlight).toBe(running.length);
          expect(running.length).toBeLessThanOrEqual(16);
          expect(stage.policy.waitingCount).toBe(waits.size);
          expect(waits.size).toBeLessThanOrEqual(8 + 2);
        }
        take(stage.pass(1_100));
        expect(waits.size).toBe(0);
        for (const attempt of running) take(stage.end(attempt, 'nothing'));
      }),
      { numRuns: 200 },
    );
  });
});

import {
  CANCELLED_REASONS,
  compareStandings,
  FAILED_REASONS,
  isFinal,
  TRIGGERS,
  type DeliveryState,
  type NextStep,
} from '@form-webhooks/domain';
import type { DeliveryMessage, DeliveryRecord } from '@form-webhooks/messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aDelivery, anAnswer, anEndpoint, aTimeout } from '../testing/factories.js';
import {
  attemptRecordOf,
  messageOfDeferral,
  messageOfRetry,
  recordOfCancellation,
  recordOfDeferral,
  recordOfExpiry,
  recordOfFinalAttempt,
  recordOfRetry,
  type FinalStep,
  type MadeAttempt,
} from './delivery-records.js';

const count = fc.nat({ max: 50 });
const moment = fc.nat({ max: 4_000_000_000_000 });
const delivery = fc
  .record({
    position: fc.record({ generation: count, try: count, deferrals: count }),
    acceptedAt: moment,
    generationStartedAt: moment,
    dueAt: moment,
    trigger: fc.constantFrom(...TRIGGERS),
    republishedBy: fc.option(fc.constant('rec_1'), { nil: undefined }),
  })
  .map(({ republishedBy, ...rest }) => aDelivery({ ...rest, ...(republishedBy && { republishedBy }) }));
const finalStep: fc.Arbitrary<FinalStep> = fc.oneof(
  fc.constant({ kind: 'delivered' as const }),
  fc.constantFrom(...FAILED_REASONS).map((reason) => ({ kind: 'failed' as const, reason })),
);
const sent = fc
  .record({ startedAt: moment, durationMs: count, timestamp: moment, resent: fc.boolean() })
  .chain((given) => fc.constantFrom({ ...aTimeout(), ...given }, anAnswer(200, given)));
const RETRY: NextStep = { kind: 'retry', delayMs: 10_000 };

/** Every record that a step can make of a delivery, with the state that the delivery was in before. */
const step = fc
  .record({ delivery, sent, next: finalStep, reason: fc.constantFrom(...CANCELLED_REASONS), at: moment })
  .chain(({ delivery, sent, next, reason, at }) => {
    const attemptThen = (then: NextStep) => attemptRecordOf(delivery, { endpoint: anEndpoint(), sent, next: then });
    return fc
      .constantFrom(
        recordOfFinalAttempt(delivery, attemptThen(next), next),
        recordOfRetry(delivery, attemptThen(RETRY), at),
        recordOfDeferral(delivery, at, 'no_slot'),
        recordOfCancellation(delivery, reason, at),
        recordOfExpiry(delivery, at),
      )
      .map((record) => ({ before: delivery, record }));
  });

const stateOf = ({ position }: DeliveryMessage): DeliveryState => (position.try === 0 ? 'pending' : 'retrying');
const reasonsOf = (state: DeliveryState): readonly (string | null)[] => {
  if (state === 'failed') return FAILED_REASONS;
  return state === 'cancelled' ? CANCELLED_REASONS : [null];
};

function expectLegal({ state, reason, nextAttemptAt, completedAt, attempt }: DeliveryRecord): void {
  expect(reasonsOf(state)).toContain(reason);
  expect(nextAttemptAt === null).toBe(isFinal(state));
  expect(completedAt === null).toBe(!isFinal(state));
  if (attempt) expect(attempt.outcome).toBe(state === 'retrying' ? 'retry' : state);
}

describe('whatever the step, its record', () => {
  it('has a legal combination of state, reason, times and outcome', () => {
    fc.assert(fc.property(step, ({ record }) => expectLegal(record)));
  });

  it('supersedes the delivery as it was before, so the log needs no order of arrival', () => {
    fc.assert(
      fc.property(step, ({ before, record }) => {
        const standing = { position: before.position, state: stateOf(before) };
        expect(compareStandings(standing, record)).toBeLessThan(0);
      }),
    );
  });

  it('says which delivery it is of, and carries nothing of the payload', () => {
    fc.assert(
      fc.property(step, ({ before, record }) => {
        const { position: _p, state: _s, reason: _r, nextAttemptAt: _n, completedAt: _c, ...rest } = record;
        const { waitsFor: _w, attempt: _a, ...of } = rest;
        const { position: _position, tail: _tail, dueAt: _dueAt, republishedBy: _by, ...identity } = before;
        expect(of).toEqual({ kind: 'delivery', ...identity });
      }),
    );
  });
});

describe('the record of', () => {
  const at = aDelivery({ position: { generation: 2, try: 1, deferrals: 3 } });
  const first = aDelivery({ position: { generation: 2, try: 0, deferrals: 3 } });
  const attempt = attemptRecordOf(at, { endpoint: anEndpoint(), sent: anAnswer(200), next: RETRY });

  it('a last attempt is final since the attempt ended, where the delivery stands', () => {
    const ended = { nextAttemptAt: null, completedAt: attempt.startedAt + attempt.durationMs, attempt };
    expect(recordOfFinalAttempt(at, attempt, { kind: 'delivered' })).toMatchObject({
      ...ended,
      state: 'delivered',
      reason: null,
      position: at.position,
    });
    expect(recordOfFinalAttempt(at, attempt, { kind: 'failed', reason: 'expired' })).toMatchObject({
      ...ended,
      state: 'failed',
      reason: 'expired',
      position: at.position,
    });
  });

  it('a retry has the next position and the time when that is due', () => {
    expect(recordOfRetry(first, attempt, 77)).toMatchObject({
      state: 'retrying',
      position: { generation: 2, try: 1, deferrals: 0 },
      nextAttemptAt: 77,
      attempt,
    });
  });

  it('a deferral changes neither pending nor retrying, and has no attempt', () => {
    const position = { generation: 2, deferrals: 4 };
    const due = { nextAttemptAt: 77, waitsFor: 'form_unknown', attempt: null };
    const [fresh, again] = [first, at].map((delivery) => recordOfDeferral(delivery, 77, 'form_unknown'));
    expect(fresh).toMatchObject({ ...due, state: 'pending', position: { ...position, try: 0 } });
    expect(again).toMatchObject({ ...due, state: 'retrying', position: { ...position, try: 1 } });
  });

  it('a cancellation is final at the given time, and has no attempt', () => {
    expect(recordOfCancellation(at, 'discarded', 77)).toMatchObject({
      state: 'cancelled',
      reason: 'discarded',
      position: at.position,
      completedAt: 77,
      attempt: null,
    });
  });

  it('an expiry is a failure at the given time, and has no attempt', () => {
    expect(recordOfExpiry(at, 77)).toMatchObject({
      state: 'failed',
      reason: 'expired',
      position: at.position,
      completedAt: 77,
      attempt: null,
    });
  });

  it('an attempt tells what was sent where, at which try, and what came of it', () => {
    const given = anAnswer(503, { resent: true, remoteAddress: '192.0.2.7', error: { code: 'reset', message: 'cut' } });
    const endpoint = anEndpoint({ url: 'https://moved.example/', version: 7 });
    const made: MadeAttempt = { endpoint, sent: given, next: RETRY };
    const { result: _, ...kept } = given;
    const expected = { ...kept, try: 1, url: 'https://moved.example/', endpointVersion: 7, outcome: 'retry' };
    const [one, other] = [attemptRecordOf(at, made), attemptRecordOf(at, made)];
    expect(one).toEqual({ ...expected, id: expect.stringMatching(/^att_/) });
    expect(one.id).not.toBe(other.id);
  });
});

describe('the message of', () => {
  it('the next try stands where the record of the retry says, and is nobody’s republication', () => {
    fc.assert(
      fc.property(delivery, moment, (before, dueAt) => {
        const { position } = recordOfRetry(before, attemptRecordOf(before, made), dueAt);
        const { republishedBy: _, ...rest } = before;
        expect(messageOfRetry(before, dueAt)).toStrictEqual({ ...rest, position, dueAt });
      }),
    );
  });

  it('a deferral stands where its record says, and is otherwise the same', () => {
    fc.assert(
      fc.property(delivery, moment, (before, dueAt) => {
        const { position } = recordOfDeferral(before, dueAt, 'no_slot');
        expect(messageOfDeferral(before, dueAt)).toStrictEqual({ ...before, position, dueAt });
      }),
    );
  });

  const made: MadeAttempt = { endpoint: anEndpoint(), sent: anAnswer(503), next: RETRY };
});

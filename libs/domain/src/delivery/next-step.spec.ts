import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../enumerations.js';
import {
  decideNextStep,
  type AttemptContext,
  type AttemptResult,
  type NextStep,
  type RetryPolicy,
} from './next-step.js';
import { sharedRungs, spreadDelay } from './retry-schedule.js';

const HOUR = 3_600_000;
const ids = { deliveryId: 'dlv_1', endpointId: 'we_1' };
const policy: RetryPolicy = {
  schedule: [10_000, 30_000],
  retryStatuses: new Set([408, 425, 429]),
  deliveryMaxAgeMs: 24 * HOUR,
};

const context = (change: Partial<AttemptContext> & { readonly try?: number } = {}): AttemptContext => ({
  position: { generation: 0, try: change.try ?? 0, deferrals: 0 },
  ...ids,
  generationStartedAt: 0,
  now: 0,
  singleAttempt: false,
  ...change,
});

const status = (code: number, retryAfter?: string): AttemptResult =>
  retryAfter === undefined ? { kind: 'response', status: code } : { kind: 'response', status: code, retryAfter };
const failed = (reason: string) => ({ kind: 'failed', reason });

describe('decideNextStep', () => {
  it.each([200, 201, 202, 204, 250, 299])('%d is delivered', (code) => {
    expect(decideNextStep(status(code), context(), policy)).toEqual({ kind: 'delivered' });
  });

  it.each([500, 502, 503, 504, 599, 408, 425, 429, 0, 100, 101, 199, 600, 999])('%d is tried again', (code) => {
    expect(decideNextStep(status(code), context(), policy).kind).toBe('retry');
  });

  it.each([
    [299, { kind: 'delivered' }],
    [300, { kind: 'delivered' }],
    [302, { kind: 'delivered' }],
    [399, { kind: 'delivered' }],
    [404, { kind: 'failed', reason: 'rejected' }],
  ])('%d where a redirect counts as received', (code, step) => {
    expect(decideNextStep(status(code), context(), { ...policy, redirectIsSuccess: true })).toEqual(step);
  });

  it.each([300, 301, 302, 303, 304, 307, 308, 399])('%d is a redirect, never followed', (code) => {
    expect(decideNextStep(status(code), context(), policy)).toEqual(failed('redirect'));
  });

  it.each([400, 401, 403, 404, 405, 407, 409, 411, 413, 422, 451, 499])('%d is final', (code) => {
    expect(decideNextStep(status(code), context(), policy)).toEqual(failed('rejected'));
  });

  it('410 says that the endpoint is gone', () => {
    expect(decideNextStep(status(410), context(), policy)).toEqual(failed('gone'));
  });

  it.each(ERROR_CODES.filter((code) => code !== 'not_https'))('the error %s is tried again', (code) => {
    expect(decideNextStep({ kind: 'error', code }, context(), policy).kind).toBe('retry');
  });

  it('a URL that is not HTTPS is final', () => {
    expect(decideNextStep({ kind: 'error', code: 'not_https' }, context(), policy)).toEqual(failed('not_https'));
  });

  it('RETRY_STATUSES adds to 5xx and never takes from it', () => {
    const none = { ...policy, retryStatuses: new Set<number>() };
    expect(decideNextStep(status(500), context(), none).kind).toBe('retry');
    expect(decideNextStep(status(429), context(), none)).toEqual(failed('rejected'));
    expect(decideNextStep(status(404), context(), { ...policy, retryStatuses: new Set([404]) }).kind).toBe('retry');
    expect(decideNextStep(status(200), context(), { ...policy, retryStatuses: new Set([200]) }).kind).toBe('delivered');
  });

  it('waits for the rung of its place in the schedule, then is exhausted', () => {
    const steps = [0, 1, 2].map((at) => decideNextStep(status(503), context({ try: at }), policy));
    expect(steps).toEqual([
      { kind: 'retry', delayMs: spreadDelay(policy.schedule[0]!, { ...ids, tryIndex: 0 }) },
      { kind: 'retry', delayMs: spreadDelay(policy.schedule[1]!, { ...ids, tryIndex: 1 }) },
      failed('exhausted'),
    ]);
  });

  it('gives a test send one attempt', () => {
    expect(decideNextStep(status(503), context({ singleAttempt: true }), policy)).toEqual(failed('exhausted'));
    expect(decideNextStep(status(200), context({ singleAttempt: true }), policy)).toEqual({ kind: 'delivered' });
  });

  it.each<[string, number]>([
    ['10', 10_000],
    ['14', 15_000],
    ['14.2', 15_000],
    ['30', 30_000],
    ['60', 60_000],
    ['120', 120_000],
    ['300', 300_000],
    ['600', 600_000],
    ['3600', 3_600_000],
    ['999999999', 10_800_000],
    ['9'.repeat(60), 10_800_000],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 60_000],
  ])('R8: the wait that Retry-After: %s asks for is made, %d ms', (value, delayMs) => {
    for (const code of [429, 503, 500]) {
      expect(decideNextStep(status(code, value), context(), policy)).toEqual({ kind: 'retry', delayMs });
    }
  });

  it.each(['0', '5', '8.9', 'soon', '-30', '1e9', '0x10', '30, 60', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'R9: Retry-After: %s changes nothing',
    (value) => {
      expect(decideNextStep(status(503, value), context(), policy)).toEqual(
        decideNextStep(status(503), context(), policy),
      );
    },
  );

  it('makes any wait asked for, never early, at most a tenth or 2 s late, in a bounded number of queues', () => {
    const delays = new Set<number>();
    const asked = fc.oneof(fc.nat(100), fc.nat(10_800)).filter((seconds) => seconds >= 10);
    fc.assert(
      fc.property(asked, (seconds) => {
        const step = decideNextStep(status(429, String(seconds)), context(), policy);
        const delayMs = step.kind === 'retry' ? step.delayMs : 0;
        expect(delayMs).toBeGreaterThanOrEqual(seconds * 1_000);
        expect(delayMs).toBeLessThanOrEqual(seconds * 1_000 + Math.max(seconds * 100, 2_000));
        delays.add(delayMs);
      }),
      { numRuns: 5_000 },
    );
    expect(sharedRungs(policy.schedule)).toEqual(expect.arrayContaining([...delays]));
    expect(sharedRungs(policy.schedule).length).toBeLessThan(128);
  });

  it("follows an endpoint's own schedule, on delays that have a queue, never early and at most a tenth or 2 s late", () => {
    const own = fc.array(fc.integer({ min: 1_000, max: 10_800_000 }), { minLength: 1, maxLength: 12 });
    const rungs = sharedRungs(policy.schedule);
    fc.assert(
      fc.property(own, fc.nat(11), fc.uuid(), (ownSchedule, at, deliveryId) => {
        const wanted = { ...policy, deliveryMaxAgeMs: Infinity, ownSchedule };
        const step = decideNextStep(status(503), { ...context({ try: at }), deliveryId }, wanted);
        const rung = ownSchedule[at];
        if (rung === undefined) {
          expect(step).toEqual(failed('exhausted'));
          return;
        }
        const delayMs = step.kind === 'retry' ? step.delayMs : 0;
        expect(rungs).toContain(delayMs);
        expect(delayMs).toBeGreaterThanOrEqual(rung);
        expect(delayMs).toBeLessThanOrEqual(1.3 * rung + Math.max(0.13 * rung, 2_000));
      }),
    );
  });

  it('makes the wait that Retry-After asks for by the same delays, whatever schedule an endpoint has', () => {
    const wanted = { ...policy, ownSchedule: [5_000] };
    expect(decideNextStep(status(503, '120'), context(), wanted)).toEqual({ kind: 'retry', delayMs: 120_000 });
  });

  it('Retry-After saves nothing that is final', () => {
    expect(decideNextStep(status(404, '5'), context(), policy)).toEqual(failed('rejected'));
    expect(decideNextStep(status(503, '5'), context({ try: 2 }), policy)).toEqual(failed('exhausted'));
  });

  it('expires when the next attempt would start later than the greatest age, counted from its generation', () => {
    const delayMs = spreadDelay(policy.schedule[0]!, { ...ids, tryIndex: 0 });
    const last = policy.deliveryMaxAgeMs - delayMs;
    expect(decideNextStep(status(503), context({ now: last }), policy)).toEqual({ kind: 'retry', delayMs });
    expect(decideNextStep(status(503), context({ now: last + 1 }), policy)).toEqual(failed('expired'));
    const started = { now: last + 1, generationStartedAt: 1 };
    expect(decideNextStep(status(503), context(started), policy)).toEqual({ kind: 'retry', delayMs });
  });

  it('never makes a success of age or try, and never retries early or beyond the longest rung', () => {
    const result = fc.oneof(
      fc
        .tuple(fc.integer({ min: 0, max: 999 }), fc.option(fc.nat(99_999).map(String), { nil: undefined }))
        .map(([code, after]) => status(code, after)),
      fc.constantFrom(...ERROR_CODES).map((code): AttemptResult => ({ kind: 'error', code })),
    );
    fc.assert(
      fc.property(result, fc.nat(3), fc.nat(30 * HOUR), (outcome, at, now) => {
        const step: NextStep = decideNextStep(outcome, context({ try: at, now }), policy);
        const isSuccess = outcome.kind === 'response' && outcome.status >= 200 && outcome.status <= 299;
        expect(step.kind === 'delivered').toBe(isSuccess);
        if (step.kind !== 'retry') return;
        expect(step.delayMs).toBeGreaterThanOrEqual(policy.schedule[at]!);
        expect(step.delayMs).toBeLessThanOrEqual(10_800_000);
        expect(now + step.delayMs).toBeLessThanOrEqual(policy.deliveryMaxAgeMs);
      }),
    );
  });
});

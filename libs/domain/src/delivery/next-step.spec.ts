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
import { delayAfter, nextLongerRung, spreadDelay, standingRungs } from './retry-schedule.js';

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
      { kind: 'retry', delayMs: delayAfter(policy.schedule, { ...ids, tryIndex: 0 }) },
      { kind: 'retry', delayMs: delayAfter(policy.schedule, { ...ids, tryIndex: 1 }) },
      failed('exhausted'),
    ]);
  });

  it('gives a test send one attempt', () => {
    expect(decideNextStep(status(503), context({ singleAttempt: true }), policy)).toEqual(failed('exhausted'));
    expect(decideNextStep(status(200), context({ singleAttempt: true }), policy)).toEqual({ kind: 'delivered' });
  });

  it.each<[string, number]>([
    ['5', delayAfter(policy.schedule, { ...ids, tryIndex: 0 })!],
    ['14', spreadDelay(15_000, { ...ids, tryIndex: 0 })],
    ['120', spreadDelay(300_000, { ...ids, tryIndex: 0 })],
    ['999999999', spreadDelay(10_800_000, { ...ids, tryIndex: 0 })],
    ['soon', delayAfter(policy.schedule, { ...ids, tryIndex: 0 })!],
    ['0', delayAfter(policy.schedule, { ...ids, tryIndex: 0 })!],
    ['Thu, 01 Jan 1970 00:00:50 GMT', spreadDelay(60_000, { ...ids, tryIndex: 0 })],
  ])('Retry-After: %s leads to a delay of %d ms', (value, delayMs) => {
    for (const code of [429, 503, 500]) {
      expect(decideNextStep(status(code, value), context(), policy)).toEqual({ kind: 'retry', delayMs });
    }
  });

  it('Retry-After saves nothing that is final', () => {
    expect(decideNextStep(status(404, '5'), context(), policy)).toEqual(failed('rejected'));
    expect(decideNextStep(status(503, '5'), context({ try: 2 }), policy)).toEqual(failed('exhausted'));
  });

  it('expires when the next attempt would start later than the greatest age, counted from its generation', () => {
    const delayMs = delayAfter(policy.schedule, { ...ids, tryIndex: 0 })!;
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
        expect(step.delayMs).toBeGreaterThanOrEqual(delayAfter(policy.schedule, { ...ids, tryIndex: at })!);
        expect(step.delayMs).toBeLessThanOrEqual(nextLongerRung(standingRungs(policy.schedule), Infinity));
        expect(now + step.delayMs).toBeLessThanOrEqual(policy.deliveryMaxAgeMs);
      }),
    );
  });
});

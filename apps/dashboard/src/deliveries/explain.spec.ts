import { ERROR_CODES, REASONS, WAITING_CAUSES } from '@form-webhooks/domain/enumerations';
import { describe, expect, it } from 'vitest';
import german from '../text/de.json';
import english from '../text/en.json';
import { attemptsAllowed, causeOf, errorName, meaningOf } from './explain.js';

const DELIVERY = {
  state: 'failed',
  reason: null,
  waits_for: null,
  last_response_status: null,
  last_error: null,
} as const;

describe('what an outcome means', () => {
  it('is said for every reason, every cause of waiting and every error', () => {
    for (const reason of REASONS) expect(meaningOf({ ...DELIVERY, reason }).what).toBe(`reason.${reason}`);
    for (const waits_for of WAITING_CAUSES)
      expect(meaningOf({ ...DELIVERY, waits_for }).what).toBe(`waits.${waits_for}`);
    for (const error of ERROR_CODES) expect(causeOf(null, error)).not.toBe('cause.unknown');
  });

  it.each([
    [204, undefined],
    [302, 'cause.redirect'],
    [401, 'cause.auth'],
    [404, 'cause.path'],
    [410, 'cause.gone'],
    [429, 'cause.busy'],
    [422, 'cause.rejected'],
    [503, 'cause.server'],
  ])('is told of the status %i', (status, cause) => {
    expect(causeOf(status, null)).toBe(cause);
  });

  it('names no cause once it was delivered', () => {
    expect(meaningOf({ ...DELIVERY, state: 'delivered', last_response_status: 500 })).toEqual({
      what: 'explain.delivered',
      cause: undefined,
    });
  });
});

describe('how many attempts there are in all', () => {
  const endpoint = { attempts_allowed: 8 };

  it('is what the schedule allows, where it was begun once and by an event', () => {
    expect(attemptsAllowed({ generation: 0, trigger: 'event' }, endpoint)).toBe(8);
  });

  it('is not said of a test, of one begun anew, or of an endpoint that is gone', () => {
    expect(attemptsAllowed({ generation: 0, trigger: 'test' }, endpoint)).toBeUndefined();
    expect(attemptsAllowed({ generation: 1, trigger: 'replay' }, endpoint)).toBeUndefined();
    expect(attemptsAllowed({ generation: 0, trigger: 'event' }, undefined)).toBeUndefined();
  });
});

describe('an error of an attempt', () => {
  it.each([
    ['en', english],
    ['de', german],
  ])(
    'has a name of its own in the texts of %s, for each code',
    (_language, texts: Readonly<Record<string, string>>) => {
      const names = ERROR_CODES.map((code) => errorName(code, (id) => texts[id] ?? ''));
      expect(names).not.toContain('');
      expect(new Set(names).size).toBe(ERROR_CODES.length);
    },
  );

  it('is named by its code where only a later release knows it', () => {
    expect(errorName('quantum', (id) => id)).toBe('quantum');
  });
});

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DELIVERY_ID_PATTERN,
  deriveDeliveryId,
  deriveEventId,
  EVENT_ID_PATTERN,
  FORM_ID_PATTERN,
  IDEMPOTENCY_KEY_PATTERN,
  randomAttemptId,
  randomEndpointId,
  randomEventId,
  SUBMISSION_ID_PATTERN,
  WORKSPACE_ID_PATTERN,
} from './ids.js';

const idBody = fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/);
const key = fc.stringMatching(IDEMPOTENCY_KEY_PATTERN);
const eventParts = fc.tuple(
  idBody.map((body) => `f_${body}`),
  fc.constantFrom('submission.created', 'draft.resumed'),
  key,
);

describe('derived ids', () => {
  it('are the first 22 characters of SHA-256 over the parts joined by NUL', () => {
    const hash = createHash('sha256').update('f_1\0submission.created\0k').digest('base64url');
    expect(deriveEventId('f_1', 'submission.created', 'k')).toBe(`evt_${hash.slice(0, 22)}`);
    const delivery = createHash('sha256').update('evt_1\0we_1').digest('base64url');
    expect(deriveDeliveryId('evt_1', 'we_1')).toBe(`dlv_${delivery.slice(0, 22)}`);
  });

  it('are the same for the same parts and differ as soon as one part differs', () => {
    fc.assert(
      fc.property(eventParts, eventParts, (a, b) => {
        const same = a.every((part, i) => part === b[i]);
        expect(deriveEventId(...a)).toBe(deriveEventId(...a));
        expect(deriveEventId(...a) === deriveEventId(...b)).toBe(same);
      }),
    );
  });

  it('do not depend on where one part ends and the next begins', () => {
    expect(deriveEventId('f_a', 'b', 'c')).not.toBe(deriveEventId('f_ab', '', 'c'));
    expect(deriveDeliveryId('ab', 'c')).not.toBe(deriveDeliveryId('a', 'bc'));
  });

  it('match the patterns by which they are read back', () => {
    fc.assert(
      fc.property(eventParts, (parts) => {
        const eventId = deriveEventId(...parts);
        expect(eventId).toMatch(EVENT_ID_PATTERN);
        expect(deriveDeliveryId(eventId, randomEndpointId())).toMatch(DELIVERY_ID_PATTERN);
      }),
    );
  });
});

it('makes random ids that never repeat and hold no dot', () => {
  const ids = Array.from({ length: 500 }, () => [randomEventId(), randomAttemptId(), randomEndpointId()]).flat();
  expect(new Set(ids).size).toBe(1_500);
  for (const id of ids) expect(id).toMatch(/^(evt|att|we)_[A-Za-z0-9_-]{22}$/);
});

describe.each([
  ['form', 'f', FORM_ID_PATTERN],
  ['submission', 's', SUBMISSION_ID_PATTERN],
  ['workspace', 'ws', WORKSPACE_ID_PATTERN],
])('the pattern of a %s id', (_name, prefix, pattern) => {
  it.each(['1', 'a_b-C', 'x'.repeat(60)])('takes %s', (body) => expect(`${prefix}_${body}`).toMatch(pattern));
  it.each(['', 'x'.repeat(61), 'a.b', 'a b', 'a/b', 'é', 'a\n', '"', '\0'])('refuses %j', (body) => {
    expect(`${prefix}_${body}`).not.toMatch(pattern);
  });
  it('refuses another prefix', () => expect('x_1').not.toMatch(pattern));
});

it.each(['', 'k'.repeat(129), 'a b', 'a\n', 'é', 'a/b', '"'])('takes no %j for an idempotency key', (text) => {
  expect(text).not.toMatch(IDEMPOTENCY_KEY_PATTERN);
});

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DELIVERY_ID_PATTERN,
  deriveDeliveryId,
  deriveEventId,
  type EventIdentity,
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
/** Few values of each part, so that identities that differ in one part alone are drawn often. */
const few = (prefix: string): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom('1', '2'), idBody).map((id) => prefix + id);
const identity: fc.Arbitrary<EventIdentity> = fc.record({
  formId: few('f_'),
  event: fc.constantFrom('submission.created', 'draft.resumed'),
  submissionId: few('s_'),
  key: fc.oneof(fc.constantFrom('draft', 'k'), key),
  tail: fc.oneof(fc.constantFrom('{}', '{ }'), fc.string()).map((text) => Buffer.from(text)),
});
const IDENTITY: EventIdentity = {
  formId: 'f_1',
  event: 'submission.created',
  submissionId: 's_1',
  key: 'k',
  tail: Buffer.from('{}'),
};

describe('derived ids', () => {
  it('are the first 22 characters of SHA-256 over the parts joined by NUL', () => {
    const content = createHash('sha256').update('{}').digest('base64url');
    const hash = createHash('sha256').update(`f_1\0submission.created\0s_1\0k\0${content}`).digest('base64url');
    expect(deriveEventId(IDENTITY)).toBe(`evt_${hash.slice(0, 22)}`);
    const delivery = createHash('sha256').update('evt_1\0we_1').digest('base64url');
    expect(deriveDeliveryId('evt_1', 'we_1')).toBe(`dlv_${delivery.slice(0, 22)}`);
  });

  it('are the same for the same parts and differ as soon as one part differs, be it a byte of the content', () => {
    fc.assert(
      fc.property(identity, identity, (a, b) => {
        const same =
          a.tail.equals(b.tail) && (['formId', 'event', 'submissionId', 'key'] as const).every((p) => a[p] === b[p]);
        expect(deriveEventId({ ...a })).toBe(deriveEventId(a));
        expect(deriveEventId(a) === deriveEventId(b)).toBe(same);
      }),
    );
  });

  it.each([
    { formId: 'f_2' },
    { event: 'draft.resumed' },
    { submissionId: 's_2' },
    { key: 'l' },
    { tail: Buffer.from('{ }') },
  ])('differ in %j', (other) => {
    expect(deriveEventId({ ...IDENTITY, ...other })).not.toBe(deriveEventId(IDENTITY));
  });

  it('do not depend on where one part ends and the next begins', () => {
    const one = { ...IDENTITY, event: 'b', submissionId: 'c' };
    expect(deriveEventId(one)).not.toBe(deriveEventId({ ...one, event: 'bc', submissionId: '' }));
    expect(deriveDeliveryId('ab', 'c')).not.toBe(deriveDeliveryId('a', 'bc'));
  });

  it('match the patterns by which they are read back', () => {
    fc.assert(
      fc.property(identity, (parts) => {
        const eventId = deriveEventId(parts);
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

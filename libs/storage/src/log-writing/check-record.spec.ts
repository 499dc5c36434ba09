import type { AttemptRecord, DeliveryRecord } from '@form-webhooks/messages';
import { describe, expect, it } from 'vitest';
import { problemOf } from './check-record.js';

/** As the first release wrote it: what later ones add, a record of it doesn't have. Never edited. */
const RELEASED = `{"kind":"delivery","deliveryId":"dlv_1","eventId":"evt_1","event":"submission.created","formId":"f_1",
  "submissionId":"s_1","endpointId":"we_1","acceptedAt":1795810757000,"generationStartedAt":1795810757000,
  "trigger":"event","attempt":{"id":"att_1","try":0,"startedAt":1795810757010,"durationMs":15000,
  "timestamp":1795810757,"url":"https://a.example/","endpointVersion":2,"requestHeaders":{"user-agent":"x"},
  "response":{"status":503,"headers":{},"excerpt":"","truncated":false},"error":null,"remoteAddress":null,
  "resent":false,"outcome":"retry"},"position":{"generation":0,"try":1,"deferrals":0},"state":"retrying",
  "reason":null,"nextAttemptAt":1795810782010,"completedAt":null}`;
const RETAINED = { first: '2026-11-01', last: '2026-12-31' };

const released = (): DeliveryRecord => JSON.parse(RELEASED) as DeliveryRecord;
const problemWith = (attempt: object): string | null =>
  problemOf({ ...released(), attempt: { ...released().attempt, ...attempt } as AttemptRecord }, RETAINED);

describe('the check of a record', () => {
  it('finds nothing wrong with one of the first release', () => {
    expect(problemOf(released(), RETAINED)).toBeNull();
    expect(problemOf({ ...released(), attempt: null }, RETAINED)).toBeNull();
  });

  it('finds nothing wrong with what the parts of an attempt took, known or not', () => {
    const known = { dnsMs: 1, connectMs: 2, tlsMs: null, firstByteMs: null };
    expect([known, null, undefined].map((timings) => problemWith({ timings }))).toEqual([null, null, null]);
  });

  it('names the member of an attempt that is missing', () => {
    for (const member of Object.keys(released().attempt!)) {
      expect(problemWith({ [member]: undefined })).toBe(`attempt.${member} is malformed`);
    }
  });

  it.each([
    { id: 'other_1' },
    { try: 0.5 },
    { try: -1 },
    { startedAt: 253_402_300_800_000 },
    { durationMs: 2_147_483_648 },
    { timestamp: '1795810757' },
    { url: null },
    { endpointVersion: 2_147_483_648 },
    { requestHeaders: { 'user-agent': 1 } },
    { response: {} },
    { response: 'none' },
    { response: { status: 1_000, headers: {}, excerpt: '', truncated: false } },
    { response: { status: 200, headers: null, excerpt: '', truncated: false } },
    { response: { status: 200, headers: {}, excerpt: null, truncated: false } },
    { response: { status: 200, headers: {}, excerpt: '', truncated: 1 } },
    { response: { status: 200, headers: {}, excerpt: '', bytes: 'no base64!', truncated: false } },
    { error: { code: 'unheard_of', message: '' } },
    { error: { code: 'timeout' } },
    { remoteAddress: 1 },
    { timings: 'fast' },
    { timings: { dnsMs: 1, connectMs: 2, tlsMs: 3 } },
    { timings: { dnsMs: 0.5, connectMs: null, tlsMs: null, firstByteMs: null } },
    { resent: 'no' },
    { outcome: 'expired' },
  ])('names what is malformed in an attempt: %j', (malformed) => {
    expect(problemWith(malformed)).toBe(`attempt.${Object.keys(malformed)[0]} is malformed`);
  });

  it('takes a record without its attempt for malformed', () => {
    expect(problemOf({ ...released(), attempt: undefined as never }, RETAINED)).toBe('attempt is malformed');
  });
});

import type { DashboardGrant } from '@form-webhooks/storage';
import { Metrics } from '@form-webhooks/telemetry';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallerIdentity } from '../access/caller-identity.js';
import { credentialsOf, nameOfKey, nameOfSession } from './credentials.js';
import { readEnd, readNotice, writeEnd } from './form-notice.js';
import { LiveStreams } from './live-streams.js';

function caller(keyId: string | null, session?: { hash: string; keyId: string | null }): readonly string[] {
  const by = new CallerIdentity('somebody', keyId, null, 'ws_1', new Set());
  by.session = session as DashboardGrant | undefined;
  return credentialsOf(by);
}

describe('the streams of a credential that has ended', () => {
  let streams: LiveStreams;

  beforeEach(() => {
    const settings = { inAll: 10, perCaller: 10, maxAgeMs: 900_000 };
    streams = new LiveStreams(settings, { gauge: vi.fn() } as unknown as Metrics);
  });
  afterEach(() => streams.onModuleDestroy());

  function open(credentials: readonly string[]) {
    const outlet = { write: () => 0, end: vi.fn(), destroy: vi.fn() };
    streams.begin({ formId: 'f_1', credentialEndsAt: null, credentials, isReopened: false }, outlet);
    return outlet.end;
  }

  it.each([
    ['a key, with the key and the sessions that it opened', nameOfKey('key_1'), [true, true, false, false, false]],
    ['a session, with that alone', nameOfSession('s1'), [false, true, false, false, false]],
    ['somebody without any', nameOfKey('key_3'), [false, false, false, false, false]],
  ])('end: those of %s', (_, ended, expected) => {
    const ends = [
      caller('key_1'),
      caller(null, { hash: 's1', keyId: 'key_1' }),
      caller(null, { hash: 's2', keyId: null }),
      caller('key_2'),
      caller(null),
    ].map(open);
    streams.endOf(readEnd(writeEnd(ended))!);
    expect(ends.map((end) => end.mock.calls.length === 1)).toEqual(expected);
  });

  it('are told of so that an earlier release takes it for a form of which nothing changed', () => {
    expect(readNotice(writeEnd(nameOfKey('key_1')))).toEqual(new Map([['!key', new Set()]]));
    expect(readEnd('f_1:deliveries')).toBeUndefined();
    expect(readEnd('*')).toBeUndefined();
  });
});

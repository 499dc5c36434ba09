import { MAX_ADMISSION_WAIT_MS } from '@form-webhooks/domain';
import { loadSettings, SettingsError } from '@form-webhooks/settings';
import { describe, expect, it } from 'vitest';
import { ConfigSettings } from './settings.js';

const load = (environment: Readonly<Record<string, string>>): ConfigSettings =>
  loadSettings(ConfigSettings, {
    DATABASE_URL: 'postgresql://localhost/test',
    RABBITMQ_URL: 'amqp://localhost',
    ADMIN_API_KEY: 'the-admin-key-of-this-test',
    SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    ...environment,
  });

const problemsOf = (environment: Readonly<Record<string, string>>): readonly string[] => {
  try {
    load(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
};

describe('the grace of the reconciler', () => {
  it.each([
    ['by default', {}],
    ['with the longest attempts', { ATTEMPT_TIMEOUT: '30s' }],
    ['at its shortest', { ATTEMPT_TIMEOUT: '5s', RECONCILE_GRACE: '30s' }],
    ['with the shortest attempts', { ATTEMPT_TIMEOUT: '100ms', RECONCILE_GRACE: '1s' }],
  ])('%s leaves what waits for its attempt, or is in it, the time to be recorded', (_name, environment) => {
    const { delivery, reconcileSettleMs } = load(environment);
    expect(reconcileSettleMs).toBeGreaterThan(MAX_ADMISSION_WAIT_MS + delivery.attemptTimeoutMs);
  });

  it.each<Record<string, string>>([
    {},
    { RECONCILE_GRACE: '30m' },
    { ATTEMPT_TIMEOUT: '100ms', RECONCILE_GRACE: '1s' },
  ])(
    'with %j leaves another replica as long to write records as one that can not write them has held them',
    (environment) => {
      const { logHoldMs, reconcileSettleMs } = load(environment);
      expect(reconcileSettleMs - logHoldMs).toBeGreaterThanOrEqual(logHoldMs);
    },
  );

  it('is refused where it would take attempts in flight for lost', () => {
    expect(() => load({ RECONCILE_GRACE: '89s' })).toThrow('RECONCILE_GRACE must be at least 6 times ATTEMPT_TIMEOUT');
  });
});

describe("the longest delay of an endpoint's own schedule", () => {
  it('is refused where no queue is as long', () => {
    expect(load({ ENDPOINT_RETRY_DELAY_MAX: '3h' }).endpoints.maxRetryDelayMs).toBe(10_800_000);
    expect(load({ ENDPOINT_RETRY_DELAY_MAX: '1d', RETRY_SCHEDULE: '1m,1d' }).endpoints.maxRetryDelayMs).toBe(
      86_400_000,
    );
    expect(() => load({ ENDPOINT_RETRY_DELAY_MAX: '4h' })).toThrow('ENDPOINT_RETRY_DELAY_MAX must not exceed 3h');
  });
});

describe('the retention of the log', () => {
  it('is refused where a day could be dropped while its deliveries are attempted', () => {
    const words = 'LOG_RETENTION_DAYS must not be shorter than DELIVERY_MAX_AGE';
    expect(() => load({ LOG_RETENTION_DAYS: '1', DELIVERY_MAX_AGE: '30d' })).toThrow(words);
    expect(() => load({ LOG_RETENTION_DAYS: '1', DELIVERY_MAX_AGE: '24h' })).toThrow(words);
    expect(load({ LOG_RETENTION_DAYS: '31', DELIVERY_MAX_AGE: '30d' }).retention.days).toBe(31);
    expect(load({}).retention.days).toBe(30);
  });
});

describe('what is wrong', () => {
  it('is told all at once: missing files, TLS that verifies nobody, and what does not go together', () => {
    const wrong = {
      DATABASE_URL: 'postgres://u:hunter2@db/forms?sslmode=require',
      RABBITMQ_URL: 'amqps://a,amqps://u:hunter2@b?cacertfile=/nope/ca.pem',
      JWT_JWKS_FILE: '/nope/keys.json',
      RECONCILE_GRACE: '89s',
    };
    expect(problemsOf(wrong)).toEqual([
      expect.stringMatching(/^RABBITMQ_URL: the file \/nope\/ca\.pem can not be read: ENOENT/),
      expect.stringMatching(/^DATABASE_URL: sslmode is verify-full or disable, not "require"/),
      expect.stringMatching(/^JWT_JWKS_FILE: the file \/nope\/keys\.json can not be read: ENOENT/),
      'RECONCILE_GRACE must be at least 6 times ATTEMPT_TIMEOUT',
    ]);
    expect(problemsOf(wrong).join()).not.toContain('hunter2');
  });

  it.each(['sslrootcert', 'sslcert', 'sslkey'])(
    'names the file of %s that the database can not be spoken to with',
    (name) => {
      const url = `postgres://db/forms?sslmode=verify-full&${name}=/nope/file.pem`;
      expect(problemsOf({ DATABASE_URL: url })).toEqual([
        expect.stringMatching(/^DATABASE_URL: the file \/nope\/file\.pem can not be read: ENOENT/),
      ]);
    },
  );
});

describe('the moment of a restore', () => {
  const minutesAhead = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

  it('is refused where it is still to come, with what it is taken for and what now is', () => {
    const words = /RESTORED_AT: 2999-01-01T00:00:00Z, in UTC, lies more than 10 minutes ahead: now is 2/;
    expect(() => load({ RESTORED_AT: '2999-01-01T01:00:00+01:00' })).toThrow(words);
    expect(() => load({ RESTORED_AT: minutesAhead(11) })).toThrow('RESTORED_AT');
  });

  it('may be ahead by what clocks differ, in the past, or none', () => {
    expect(load({ RESTORED_AT: minutesAhead(9) }).retention.restoredAt).toBeGreaterThan(Date.now());
    expect(load({ RESTORED_AT: '2020-02-29T07:30:00Z' }).retention.restoredAt).toBe(1_582_961_400_000);
    expect(load({}).retention.restoredAt).toBeNull();
  });
});

import { fileURLToPath } from 'node:url';
import { loadSettings } from '@form-webhooks/settings';
import { expect, it } from 'vitest';
import { DispatcherSettings } from './settings.js';

const load = (environment: Readonly<Record<string, string>>): DispatcherSettings =>
  loadSettings(DispatcherSettings, {
    RABBITMQ_URL: 'amqp://localhost',
    SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    ...environment,
  });

it('names all that is wrong in one message, what does not go together beside a file that is missing', () => {
  const wrong = { EGRESS_CA_FILE: '/nope/ca.pem', STOP_TIMEOUT: '1s', ENDPOINT_MAX_IN_FLIGHT: '501' };
  expect(() => load(wrong)).toThrow(/EGRESS_CA_FILE: the file \/nope\/ca\.pem can not be read: ENOENT/);
  expect(() => load(wrong)).toThrow('STOP_TIMEOUT must not be shorter than ATTEMPT_TIMEOUT');
  expect(() => load(wrong)).toThrow('ENDPOINT_MAX_IN_FLIGHT must not exceed DISPATCHER_CONCURRENCY');
  expect(load({}).egress.caFile).toBeUndefined();
});

it('names the setting of a file that holds no certificate', () => {
  const thisFile = fileURLToPath(import.meta.url);
  expect(() => load({ EGRESS_CA_FILE: thisFile })).toThrow(/EGRESS_CA_FILE: .*no PEM certificate/);
});

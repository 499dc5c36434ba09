import { BrokerSettings, loadSettings } from '@form-webhooks/settings';
import { describe, expect, it } from 'vitest';
import { installationSecrets } from './installation-secrets.js';

const HOSTS = { broker: 'broker.example', database: 'database.example' };

describe('installationSecrets', () => {
  it('gives each service what it needs, for the hosts of the installation', () => {
    const files = installationSecrets(HOSTS);
    for (const user of ['config', 'dispatcher', 'ingest', 'form-service']) {
      expect(files[`${user}/rabbitmq-url`]).toMatch(new RegExp(`^amqp://${user}:[0-9a-f]{48}@broker\\.example:5672$`));
    }
    expect(files['config/database-url']).toBe(
      `postgres://form_webhooks_config:${files['database/config-password']}@database.example:5432/form_webhooks`,
    );
    expect(files['migration/database-url']).toBe(
      `postgres://form_webhooks:${files['database/owner-password']}@database.example:5432/form_webhooks`,
    );
    expect(files['dispatcher/secret-keys']).toBe(files['config/secret-keys']);
    expect(files['config/secret-keys']).toMatch(/^k1:[A-Za-z0-9+/]{43}=$/);
    expect(files['config/admin-api-key']!.length).toBeGreaterThan(24);
  });

  it('names every node of a cluster, and the first one to who takes one alone', () => {
    const files = installationSecrets({ ...HOSTS, broker: 'one.example, two.example,three.example' });
    const urls = loadSettings(BrokerSettings, { RABBITMQ_URL: files['dispatcher/rabbitmq-url'] }).url.split(',');
    expect(urls.map((url) => new URL(url).host)).toEqual([
      'one.example:5672',
      'two.example:5672',
      'three.example:5672',
    ]);
    expect(new Set(urls.map((url) => new URL(url).password)).size).toBe(1);
    expect(files['dispatcher/keda-rabbitmq-url']).toBe(urls[0]);
  });

  it('makes every value anew', () => {
    const [one, other] = [installationSecrets(HOSTS), installationSecrets(HOSTS)];
    for (const name of Object.keys(one)) expect(one[name], name).not.toBe(other[name]);
  });

  it("writes no password into the broker's definitions", () => {
    const files = installationSecrets(HOSTS);
    const { password } = new URL(files['ingest/rabbitmq-url']!);
    expect(files['broker/definitions.json']).not.toContain(password);
  });
});

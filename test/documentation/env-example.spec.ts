import { join } from 'node:path';
import { HttpSettings, ServiceSettings, settingsOf } from '@form-webhooks/settings';
import { describe, expect, it } from 'vitest';
import { ConfigSettings } from '../../apps/config/src/settings.js';
import { DispatcherSettings } from '../../apps/dispatcher/src/settings.js';
import { IngestSettings } from '../../apps/ingest/src/settings.js';
import { ownSettings, renderEnvExample } from './env-example.js';
import { productionSources, readText, ROOT } from './repository.js';

const FILE = join(ROOT, '.env.example');

const INTRODUCTION = `
Every setting of every service: what it means, its unit, its default. Made from the services' settings classes by
\`npm run env:example\`; a test compares the two.

A service reads its environment at its start and names everything that is wrong with it in one message. A variable that
is empty counts as not set. Durations are a whole number and a unit (100ms, 10s, 5m, 24h, 30d), sizes are bytes, lists
are separated by commas.

Several services read some names, each with a default of its own (CACHE_MAX_AGE, STOP_TIMEOUT): give services their
environments one by one, or accept that a value holds for all of them. SECRET_KEYS, RETRY_SCHEDULE and
DELIVERY_MAX_AGE must be the same for config and the dispatchers.

\`npm start\` needs none of this. It passes on what its own environment sets, such as RETRY_SCHEDULE=100ms,300ms.`;

const GROUPS = [
  { title: 'every service', note: 'the broker, health and logs', settings: settingsOf(ServiceSettings) },
  {
    title: 'ingest and config',
    note: 'where the API is served',
    settings: ownSettings(HttpSettings, ServiceSettings),
  },
  {
    title: 'ingest',
    note: 'accepts events, over HTTP and from the exchange form.events',
    settings: ownSettings(IngestSettings, HttpSettings),
  },
  {
    title: 'dispatcher',
    note: 'fans events out and makes the attempts; the only one that speaks to the internet',
    settings: ownSettings(DispatcherSettings, ServiceSettings),
  },
  {
    title: 'config',
    note: 'the REST API, the delivery log, the database',
    settings: ownSettings(ConfigSettings, HttpSettings),
  },
];

describe('.env.example', () => {
  it('is what the settings classes say (npm run env:example writes it anew)', async () => {
    await expect(renderEnvExample(INTRODUCTION, GROUPS)).toMatchFileSnapshot(FILE);
  });

  it('names every variable that any settings class of an app declares', () => {
    const listed = new Set(GROUPS.flatMap(({ settings }) => settings.map(({ env }) => env)));
    const declared = productionSources()
      .flatMap((file) => [...readText(file).matchAll(/@Setting\(\{\s*env: '(\w+)'/g)])
      .map(([, env]) => env!);
    expect(new Set(declared)).toEqual(listed);
  });

  it('repeats no secret and describes everything', () => {
    for (const { env, meaning, secret, default: text } of GROUPS.flatMap(({ settings }) => settings)) {
      expect(meaning, env).not.toBe('');
      if (secret) expect(text, env).toBeUndefined();
    }
  });
});

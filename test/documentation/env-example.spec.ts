import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OpsSettings } from '../../apps/config/src/ops/ops-settings.js';
import { APPS } from './app-settings.js';
import { groupByReaders, renderEnvExample } from './env-example.js';
import { productionSources, readText, ROOT } from './repository.js';

const FILE = join(ROOT, '.env.example');

const INTRODUCTION = `
Every setting of every service: what it means, its unit, its default. Made from the services' settings classes by
\`npm run env:example\`; a test compares the two.

A service reads its environment at its start and names everything that is wrong with it in one message. A variable that
is empty counts as not set. Durations are a whole number and a unit (100ms, 10s, 5m, 24h, 30d), sizes are bytes, lists
are separated by commas.

What is marked secret can also be in a file, as containers get it: RABBITMQ_URL_FILE=/run/secrets/rabbitmq-url in place
of RABBITMQ_URL, and so on. Both at once are refused.

STOP_TIMEOUT has a default of its own in each service that reads it: give services their environments one by one, or
accept that a value holds for all of them.

\`npm start\` needs none of this. It passes on what its own environment sets, such as RETRY_SCHEDULE=100ms,300ms.`;

const GROUPS = groupByReaders({ ...APPS, 'npm run ops': OpsSettings }, [
  { readers: ['ingest', 'dispatcher', 'config'], note: 'the broker, health and logs' },
  { readers: ['ingest', 'config'], note: 'where the API is served' },
  { readers: ['dispatcher', 'config'], note: 'what must be the same for both' },
  { readers: ['ingest', 'dispatcher'], note: 'what config has told them' },
  { readers: ['ingest'], note: 'accepts events, over HTTP and from the exchange form.events' },
  {
    readers: ['dispatcher'],
    note: 'fans events out and makes the attempts; the only one that speaks to the internet',
  },
  { readers: ['config'], note: 'the REST API, the delivery log, the database' },
  { readers: ['npm run ops'], note: "the operator's command line, which reads config's settings as well" },
]);

/** Declared once in each app that reads it, because each waits for something else and as long by default. */
const OF_EACH_APP = ['STOP_TIMEOUT'];

describe('.env.example', () => {
  it('is what the settings classes say (npm run env:example writes it anew)', async () => {
    await expect(renderEnvExample(INTRODUCTION, GROUPS)).toMatchFileSnapshot(FILE);
  });

  it('names every variable that any settings class declares, and each is declared in one place', () => {
    const listed = GROUPS.flatMap(({ settings }) => settings.map(({ env }) => env));
    const declared = productionSources()
      .flatMap((file) => [...readText(file).matchAll(/Setting\(\{\s*env: '(\w+)'/g)])
      .map(([, env]) => env!);
    expect(declared.sort()).toEqual([...new Set(listed)].sort());
    const twice = listed.filter((env, index) => listed.indexOf(env) !== index);
    expect(twice).toEqual(OF_EACH_APP);
  });

  it('repeats no secret and describes everything', () => {
    for (const { env, meaning, secret, default: text } of GROUPS.flatMap(({ settings }) => settings)) {
      expect(meaning, env).not.toBe('');
      if (secret) expect(text, env).toBeUndefined();
    }
  });
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MALLOC_ENVIRONMENT, NODE_FLAGS } from '@form-webhooks/local';
import { SettingsError } from '@form-webhooks/settings';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { installationSecrets } from '../../apps/config/src/commands/installation-secrets.js';
import { OpsSettings } from '../../apps/config/src/ops/ops-settings.js';
import { APPS, imageVariables, migrationVariables, settingsAsGiven, variablesOf } from './app-settings.js';
import { deploymentOf } from './manifests.js';
import { readText, ROOT } from './repository.js';

interface ComposeService {
  readonly build?: { readonly target: string };
  readonly command?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly restart?: string;
  readonly mem_limit?: string;
  readonly ulimits?: { readonly nofile: number };
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly healthcheck?: { readonly test?: readonly string[] };
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<
    Record<string, { readonly internal?: boolean; readonly driver_opts?: Readonly<Record<string, string>> } | null>
  >;
}

const IMAGE = readText('deploy/images/Dockerfile');

describe('the images', () => {
  it('are one for each app, which runs its entry as nobody special', () => {
    const targets = [...IMAGE.matchAll(/^FROM base AS (\w+)$/gm)].map(([, name]) => name);
    expect(targets.toSorted()).toEqual(Object.keys(APPS).toSorted());
    for (const app of targets) {
      expect(IMAGE).toContain(`COPY --from=build /collected/${app} .`);
      expect(existsSync(join(ROOT, `apps/${app}/src/main.ts`))).toBe(true);
      expect(IMAGE).toContain(`"apps/${app}/dist/bundle/main.js"]`);
    }
    expect(IMAGE).toContain('USER node');
  });

  it('have files that their user can read, whatever the umask of the clone was', () => {
    expect(IMAGE).toMatch(/collect-app\.mjs \w+ \/collected\/\w+ \\\n  && chmod -R a\+rX \/collected\n/);
  });

  it('set only variables that every service reads, or that Node does', () => {
    const names = Object.keys(imageVariables());
    const known = new Set([...Object.keys(APPS).flatMap(variablesOf), 'NODE_ENV']);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('run Node with the flags and the memory that `npm start` does', () => {
    const memory = Object.entries(MALLOC_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
    expect(IMAGE).toContain(`ENV ${memory.join(' ')}\n`);
    for (const [app, nodeFlags] of Object.entries(NODE_FLAGS)) {
      const flags = nodeFlags.map((flag) => `"${flag}"`).join(', ');
      expect(IMAGE).toContain(`CMD ["node", ${flags}, "apps/${app}/dist/bundle/main.js"]`);
    }
  });
});

describe('deploy/compose.yaml', () => {
  const compose = parse(readText('deploy/compose.yaml'), { merge: true }) as Compose;
  const made = installationSecrets({ broker: 'rabbitmq', database: 'postgres' });
  const secrets = new Set(Object.keys(made));
  const apps = Object.keys(APPS);

  it.each(apps)('lets %s start: its own loader takes every value, lacks none, and reads them all', (app) => {
    const given = compose.services[app]!.environment!;
    expect(Object.keys(given).filter((name) => !variablesOf(app).includes(name))).toEqual([]);
    expect(() => settingsAsGiven(APPS[app]!, given, made)).not.toThrow();
    for (const name of Object.keys(given)) {
      const { [name]: _, ...others } = given;
      const wrong = { ...others, [name.replace(/_FILE$/, '')]: 'no' };
      expect(() => settingsAsGiven(APPS[app]!, wrong, made), name).toThrow(SettingsError);
    }
  });

  it.each(apps)('builds %s from its own image', (app) => {
    expect(compose.services[app]!.build!.target).toBe(app);
  });

  it('names files of secrets that are made, in folders that the service sees and no other service', () => {
    for (const [service, { environment = {}, volumes = [] }] of Object.entries(compose.services)) {
      const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
      for (const [, file] of files) {
        const name = file.replace('/run/secrets/', '');
        expect(secrets, file).toContain(name);
        expect(volumes, service).toContain(`${name.split('/')[0]}-secrets:/run/secrets/${name.split('/')[0]}:ro`);
      }
      if (apps.includes(service)) expect(volumes).toEqual([`${service}-secrets:/run/secrets/${service}:ro`]);
    }
  });

  it('migrates as the owner of the tables before config starts, which runs as the other role and only looks', () => {
    const { config, migrate, postgres } = compose.services as Record<'config' | 'migrate' | 'postgres', ComposeService>;
    expect(migrate.command!.slice(1)).toEqual(['apps/config/dist/ops/ops.js', 'migrate']);
    expect(Object.keys(migrate.environment!).filter((name) => !migrationVariables().includes(name))).toEqual([]);
    expect(() => settingsAsGiven(OpsSettings, migrate.environment!, made)).not.toThrow();
    expect(migrate.volumes).toEqual(['migration-secrets:/run/secrets/migration:ro']);
    expect(config.depends_on!['migrate']).toEqual({ condition: 'service_completed_successfully' });
    expect(config.environment!['MIGRATION']).toBe('by_job');
    const roles = readText('deploy/compose/roles.sql');
    const [owner, runtime] = ['migration', 'config'].map((name) => new URL(made[`${name}/database-url`]!).username);
    expect(migrate.environment!['DATABASE_RUNTIME_ROLE']).toBe(runtime);
    for (const role of [owner!, runtime!]) expect(roles).toContain(`CREATE ROLE ${role} LOGIN`);
    expect(roles).toContain(`OWNER ${owner};`);
    for (const [, file] of roles.matchAll(/\/run\/secrets\/([\w/-]+)/g)) expect(made).toHaveProperty([file!]);
    expect(postgres.volumes).toContain('./compose/roles.sql:/docker-entrypoint-initdb.d/roles.sql:ro');
  });

  it('keeps the secrets of each service, the broker and the database in a volume of its own', () => {
    const folders = new Set([...secrets].map((file) => file.split('/')[0]!));
    for (const folder of folders) {
      expect(compose.volumes).toHaveProperty(`${folder}-secrets`);
      expect(compose.services['secrets']!.volumes).toContain(`${folder}-secrets:/run/secrets/${folder}`);
    }
  });

  it('lets only the dispatcher reach what is outside, and the doors their callers', () => {
    const servicesIn = (network: string): string[] =>
      Object.keys(compose.services).filter((name) => compose.services[name]!.networks?.includes(network));
    expect(servicesIn('outside')).toEqual(['dispatcher']);
    expect(servicesIn('doors').toSorted()).toEqual(['config', 'ingest']);
    expect(compose.networks['inside']).toEqual({ internal: true });
    // An ordinary bridge would lead to the internet, by the address of its host.
    const { driver_opts } = compose.networks['doors']!;
    expect(driver_opts).toEqual({ 'com.docker.network.bridge.enable_ip_masquerade': 'false' });
  });

  it('keeps no more than a part of what each of its containers logs that does not end', () => {
    const lasting = Object.entries(compose.services).filter(([, { restart }]) => restart !== undefined);
    expect(lasting.map(([name]) => name)).toEqual(expect.arrayContaining([...apps, 'rabbitmq', 'postgres']));
    for (const [name, { logging }] of lasting) {
      expect(Object.keys(logging?.options ?? {}), name).toEqual(['max-size', 'max-file']);
    }
  });

  it.each(apps)('gives %s the memory that Kubernetes does', (app) => {
    const { limits } = deploymentOf(app).container.resources!;
    expect(compose.services[app]!.mem_limit).toBe(String(limits!['memory']).replace('Mi', 'm'));
  });

  it('lets the broker open more files than the 1024 that Docker gives by default', () => {
    expect(compose.services['rabbitmq']!.ulimits!.nofile).toBeGreaterThanOrEqual(65_536);
  });

  it('calls PostgreSQL healthy by its port alone: while its data are made a server answers on the socket', () => {
    const { test } = compose.services['postgres']!.healthcheck!;
    expect(test!.join(' ')).toContain('pg_isready -h 127.0.0.1 ');
  });

  it('lets each service read its secrets in volumes that belong to root', () => {
    expect(compose.services['secrets']!.command!.at(-1)).toBe('--for-everybody');
  });
});

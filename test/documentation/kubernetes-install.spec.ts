import { SettingsError, settingsOf } from '@form-webhooks/settings';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { installationSecrets } from '../../apps/config/src/commands/installation-secrets.js';
import { OpsSettings } from '../../apps/config/src/ops/ops-settings.js';
import { APPS, asVariables, settingsAsGiven } from './app-settings.js';
import { deploymentOf, givenTo, MANIFESTS, manifestOf, migrationJob } from './manifests.js';
import { readText } from './repository.js';

/* An installation by docs/deployment.md and the example. */

const EXAMPLE = `${MANIFESTS}/example/kustomization.yaml`;
const { configMapGenerator } = parse(readText(EXAMPLE)) as {
  readonly configMapGenerator: readonly { readonly name: string; readonly literals: readonly string[] }[];
};
const literalsOf = (app: string): Readonly<Record<string, string>> =>
  asVariables(configMapGenerator.find(({ name }) => name === `${app}-settings`)?.literals ?? []);

const page = readText('docs/deployment.md');
const section = page.split(/^## /m).find((part) => part.startsWith('Kubernetes\n'))!;
const commands = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!).join('');

describe('the commands of docs/deployment.md for Kubernetes', () => {
  it('make a namespace before anything is put into it', () => {
    const made = ['kubectl apply -f deploy/kubernetes/base/namespace.yaml', 'kubectl create namespace broker'];
    const used = ['kubectl -n form-webhooks ', 'kubectl -n broker '];
    for (const [n, make] of made.entries()) {
      expect(commands).toContain(make);
      expect(commands.indexOf(used[n]!), used[n]).toBeGreaterThan(commands.indexOf(make));
    }
  });

  it('make each secret that a pod mounts, of the files that are made for it', () => {
    const [, named] = /for name in ([\w ]+); do/.exec(commands)!;
    const mounted = [...Object.keys(APPS).map(deploymentOf), migrationJob()].flatMap(({ pod }) =>
      pod.volumes!.map(({ secret }) => secret!.secretName!),
    );
    expect(named!.split(' ').toSorted()).toEqual(mounted.toSorted());
    expect(commands).toContain('secret generic $name --from-file=./secrets/$name');
    const { spec } = manifestOf<{ spec: { secretTargetRef: { name: string; key: string }[] } }>(
      'TriggerAuthentication',
    );
    const secrets = installationSecrets({ broker: 'one,two', database: 'd' });
    for (const { name, key } of spec.secretTargetRef) {
      expect(mounted).toContain(name);
      expect(secrets[`${name}/${key}`], `${name}/${key}`).toMatch(/^amqp:\/\/[^,]+$/);
    }
  });

  it('leave no secrets where they were made but those that have no other place', () => {
    const [, kept] = /(find \.\/secrets .*)\n/.exec(commands) ?? [];
    expect(kept).toContain('-delete');
    for (const file of ['.gitignore', '.dockerignore']) expect(readText(file).split('\n')).toContain('/secrets/');
  });
});

describe('the example', () => {
  const secrets = installationSecrets({ broker: 'one.broker,two.broker', database: 'd' });

  it.each(Object.keys(APPS))('lets %s start: its own loader takes every value, and lacks none', (app) => {
    const known = settingsOf(APPS[app]!).map(({ env }) => env);
    expect(known).toEqual(expect.arrayContaining(Object.keys(literalsOf(app))));
    const { container } = deploymentOf(app);
    expect(container.envFrom).toEqual([{ configMapRef: { name: `${app}-settings`, optional: true } }]);
    const given = { ...Object.fromEntries(givenTo(deploymentOf(app))), ...literalsOf(app) };
    expect(() => settingsAsGiven(APPS[app]!, given, secrets)).not.toThrow();
    for (const name of Object.keys(literalsOf(app))) {
      const wrong = { ...given, [name]: 'not-what-it-should-be' };
      expect(() => settingsAsGiven(APPS[app]!, wrong, secrets), name).toThrow(SettingsError);
    }
  });

  it('lets the migration job start', () => {
    const settings = settingsAsGiven(OpsSettings, Object.fromEntries(givenTo(migrationJob())), secrets);
    expect(settings).toMatchObject({
      migrationDatabaseUrl: secrets['migration/database-url'],
      runtimeRole: 'form_webhooks_config',
    });
  });

  it('gives what config and dispatchers both read the same value', () => {
    const [config, dispatcher] = [literalsOf('config'), literalsOf('dispatcher')];
    const ofBoth = settingsOf(APPS['dispatcher']!).filter((setting) => settingsOf(APPS['config']!).includes(setting));
    for (const { env } of ofBoth) expect(dispatcher[env], env).toBe(config[env]);
  });
});

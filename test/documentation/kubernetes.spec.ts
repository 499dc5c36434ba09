import { dirname, join } from 'node:path';
import { NODE_FLAGS, type ServiceName } from '@form-webhooks/local';
import { fileVariableOf, settingsOf } from '@form-webhooks/settings';
import { ScaledObject, TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Namespace, Service } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { installationSecrets } from '../../apps/config/src/commands/installation-secrets.js';
import { APPS, migrationVariables, requiredSettingsOf, variablesOf } from './app-settings.js';
import {
  deploymentOf,
  givenTo,
  kustomizations,
  manifestFiles,
  manifestOf,
  manifests,
  migrationJob,
} from './manifests.js';
import { readText } from './repository.js';

/*
 * Manifests can't be applied here, so they are held to published schemas and to what the services are.
 */

const MODELS: Readonly<Record<string, new (manifest: never) => { validate(): void }>> = {
  ...{ Deployment, Job, Namespace, NetworkPolicy, PodDisruptionBudget, ScaledObject, Service, TriggerAuthentication },
};
/** Of an operator whose schema nobody has packed: rabbitmq-cluster.spec.ts looks at it. */
const WITHOUT_SCHEMA = ['RabbitmqCluster'];

describe('the manifests for Kubernetes', () => {
  const judged = manifests.filter(({ kind }) => !WITHOUT_SCHEMA.includes(kind));

  it.each(judged.map((one) => [`${one.kind} ${one.metadata.name}`, one] as const))(
    '%s is what its published schema says',
    (_, manifest) => {
      const Model = MODELS[manifest.kind];
      expect(Model, manifest.kind).toBeDefined();
      expect(() => new Model!(manifest as never).validate()).not.toThrow();
    },
  );

  it('are told from a wrong one', () => {
    const wrong = structuredClone(manifestOf<{ spec: { replicas: unknown } }>('Deployment'));
    wrong.spec.replicas = 'two';
    expect(() => new Deployment(wrong as never).validate()).toThrow();
  });

  it.each(kustomizations)('%s names files that are there, and every file is named', (file) => {
    const { resources, components = [] } = parse(readText(file)) as { resources: string[]; components?: string[] };
    const named = [...resources, ...components].map((name) => join(dirname(file), name));
    const isThere = (name: string): boolean =>
      manifestFiles.includes(name) || manifestFiles.includes(join(name, 'kustomization.yaml'));
    expect(named.filter((name) => !isThere(name))).toEqual([]);
    const beside = manifestFiles.filter((other) => dirname(other) === dirname(file) && other !== file);
    expect(beside.filter((other) => !named.includes(other))).toEqual([]);
  });

  it.each(Object.keys(APPS))('give %s its required settings, as files of a secret that is made for it', (app) => {
    const { container, pod } = deploymentOf(app);
    const given = givenTo({ container, pod });
    const known = new Set([...variablesOf(app), 'NODE_OPTIONS']);
    expect([...given.keys()].filter((name) => !known.has(name))).toEqual([]);
    const made = installationSecrets({ broker: 'b', database: 'd' });
    for (const { env } of requiredSettingsOf(app)) {
      const file = given.get(fileVariableOf(env));
      expect(file, env).toBeDefined();
      expect(made, file).toHaveProperty([file!.replace('/run/secrets/', '')]);
    }
    expect(container.volumeMounts![0]!.mountPath).toBe(`/run/secrets/${app}`);
    expect(pod.volumes![0]!.secret!.secretName).toBe(app);
  });

  it('migrate in a job with a secret of its own, as the owner of the tables; config runs as the other role', () => {
    const { container, pod } = migrationJob();
    const made = installationSecrets({ broker: 'b', database: 'd' });
    const given = givenTo({ container, pod });
    // Each try keeps its log.
    expect(pod.restartPolicy).toBe('Never');
    expect([...given.keys()].filter((name) => !migrationVariables().includes(name))).toEqual([]);
    expect(made).toHaveProperty([given.get('MIGRATION_DATABASE_URL_FILE')!.replace('/run/secrets/', '')]);
    expect(given.get('DATABASE_RUNTIME_ROLE')).toBe(new URL(made['config/database-url']!).username);
    expect(container.command!.slice(1)).toEqual(['apps/config/dist/ops/ops.js', 'migrate']);
    expect(container.image).toBe(deploymentOf('config').container.image);
    expect(container.volumeMounts![0]!.mountPath).toBe('/run/secrets/migration');
    expect(pod.volumes![0]!.secret!.secretName).toBe('migration');
    expect(givenTo(deploymentOf('config')).get('MIGRATION')).toBe('by_job');
    expect(deploymentOf('config').pod.volumes!.map(({ secret }) => secret!.secretName)).toEqual(['config']);
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map((one) => JSON.stringify(one));
    expect(policies.find((policy) => policy.includes('config-to-database'))).toContain('"values":["config","migrate"]');
  });

  it.each(Object.keys(APPS))('ask the health of %s where it is told, and let it stop in order', (app) => {
    const { container, pod } = deploymentOf(app);
    const ports = new Map(container.ports!.map(({ name, containerPort }) => [name, containerPort]));
    const [, listens] = /HEALTH_PORT=(\d+)/.exec(readText('deploy/images/Dockerfile'))!;
    expect(ports.get('health')).toBe(Number(listens));
    const served = readText('libs/telemetry/src/health-server.ts');
    for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      expect(probe!.httpGet!.port).toBe('health');
      expect(served).toContain(`'${probe!.httpGet!.path}'`);
    }
    const stop = settingsOf(APPS[app]!).find(({ env }) => env === 'STOP_TIMEOUT')?.default ?? '10s';
    const [, pause = '0'] = container.lifecycle?.preStop?.exec?.command ?? [];
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(pause) + 2 * Number.parseInt(stop));
  });

  it('let the doors listen on for a while when they are told to stop, as callers are still sent to them', () => {
    const doors = manifests.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
    expect(doors.toSorted()).toEqual(['config', 'ingest']);
    for (const app of doors) {
      expect(deploymentOf(app).container.lifecycle!.preStop!.exec!.command).toEqual(['sleep', '5']);
    }
  });

  it.each(Object.keys(APPS))('leave %s a quarter of its memory beside a heap that is full', (app) => {
    const { container, pod } = deploymentOf(app);
    const mibOf = (text: string | number | undefined): number => Number(/\d+/.exec(String(text))![0]);
    const old = mibOf(givenTo({ container, pod }).get('NODE_OPTIONS'));
    const semiSpace = mibOf(NODE_FLAGS[app as ServiceName].find((flag) => flag.startsWith('--max-semi-space-size')));
    expect(old + 3 * semiSpace).toBeLessThanOrEqual(0.75 * mibOf(container.resources!.limits!['memory']));
  });

  it('let nothing run as root, nor write, nor gain rights', () => {
    for (const { pod, container } of [...Object.keys(APPS).map(deploymentOf), migrationJob()]) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
      expect(container.securityContext).toMatchObject({
        ...{ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('let each pod that listens for health be asked by monitoring, and send its spans there', () => {
    const policies = new Map(manifests.map((one) => [one.metadata.name, JSON.stringify(one)]));
    const monitoring = '[{"namespaceSelector":{"matchLabels":{"form-webhooks/role":"monitoring"}}}]';
    expect(policies.get('monitoring')).toContain(`"ingress":[{"from":${monitoring},"ports":[{"port":9090`);
    expect(policies.get('spans-to-collector')).toContain(`"egress":[{"to":${monitoring},"ports":[{"port":4318`);
  });
});

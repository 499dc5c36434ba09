import { Pod } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { installationSecrets } from '../../apps/config/src/commands/installation-secrets.js';
import { manifestOf, manifests, type Manifest } from './manifests.js';
import { readText } from './repository.js';

/* The operator's schema is not to be had as a package, so what this file uses of it is written down here. */

interface RabbitmqCluster extends Manifest {
  readonly spec: {
    readonly replicas: number;
    readonly image: string;
    readonly rabbitmq: { readonly additionalConfig: string; readonly advancedConfig: string };
    readonly override: { readonly statefulSet: { readonly spec: { readonly template: { readonly spec: PodPart } } } };
  };
}
interface PodPart {
  readonly containers: readonly {
    readonly name: string;
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  }[];
  readonly volumes: readonly { readonly name: string; readonly secret: { readonly secretName: string } }[];
}

const SPEC = ['replicas', 'image', 'resources', 'persistence', 'rabbitmq', 'override'];
const IN_RABBITMQ = ['additionalConfig', 'additionalPlugins', 'advancedConfig', 'envConfig', 'erlangInetConfig'];

const cluster = manifestOf<RabbitmqCluster>('RabbitmqCluster');
const pod = cluster.spec.override.statefulSet.spec.template.spec;
const page = readText('docs/deployment.md');

/** `key = value` lines, without comments. */
const configOf = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^([\w.]+) = (.+)$/gm)].map(([, key, value]) => [key!, value!]));

describe("the broker's cluster in Kubernetes", () => {
  it('has the shape that its operator knows', () => {
    expect(cluster.apiVersion).toBe('rabbitmq.com/v1beta1');
    expect(Object.keys(cluster.spec).filter((key) => !SPEC.includes(key))).toEqual([]);
    expect(Object.keys(cluster.spec.rabbitmq).filter((key) => !IN_RABBITMQ.includes(key))).toEqual([]);
    // The operator merges into its container of this name; an image of its own makes a whole pod of it for the schema.
    expect(pod.containers.map(({ name }) => name)).toEqual(['rabbitmq']);
    const whole = { ...pod, containers: pod.containers.map((container) => ({ ...container, image: 'rabbitmq' })) };
    expect(() => new Pod({ metadata: { name: 'whole' }, spec: whole as never }).validate()).not.toThrow();
  });

  it('names its minor version, as the broker of Compose does: no later one comes by itself', () => {
    const { services } = parse(readText('deploy/compose.yaml'), { merge: true }) as {
      readonly services: { readonly rabbitmq: { readonly image: string } };
    };
    expect(cluster.spec.image).toMatch(/^rabbitmq:\d+\.\d+-management$/);
    expect(cluster.spec.image).toBe(`${services.rabbitmq.image}-management`);
  });

  it('reads the definitions that are made for it, from the secret that the page makes', () => {
    const made = Object.keys(installationSecrets({ broker: 'b', database: 'd' })).filter((file) =>
      file.startsWith('broker/'),
    );
    expect(made).toEqual(['broker/definitions.json']);
    const [{ name, mountPath }] = pod.containers[0]!.volumeMounts as [{ name: string; mountPath: string }];
    const { secret } = pod.volumes.find((volume) => volume.name === name)!;
    expect(configOf(cluster.spec.rabbitmq.additionalConfig).get('load_definitions')).toBe(
      `${mountPath}/definitions.json`,
    );
    const { namespace } = cluster.metadata;
    expect(page).toContain(
      `kubectl -n ${namespace} create secret generic ${secret.secretName} --from-file=./secrets/broker`,
    );
  });

  it('is found by the hosts that the page gives, each of its nodes', () => {
    const { name, namespace } = cluster.metadata;
    const [, hosts] = /make-secrets\.js \.\/secrets \\\n\s+(\S+) /.exec(page)!;
    const nodes = Array.from(
      { length: cluster.spec.replicas },
      (_, n) => `${name}-server-${n}.${name}-nodes.${namespace}`,
    );
    const [, domain] = /^nodes=(\S+)$/m.exec(page)!;
    expect(hosts!.replaceAll('$nodes', domain!).split(',')).toEqual(nodes);
    expect(page).toContain(`kubectl -n ${namespace} exec ${name}-server-0 -- rabbitmqctl`);
    expect(page).toContain(`ops.js doctor --members - --nodes ${cluster.spec.replicas}`);
    const policy = JSON.stringify(manifests.find((one) => one.metadata.name === 'names-and-broker'));
    for (const { port } of nodes.map((node) => new URL(`amqp://${node}:5672`)))
      expect(policy).toContain(`"port":${port}`);
  });

  it('is set as the one of Compose, and grows queues onto nodes that join', () => {
    const { additionalConfig, advancedConfig } = cluster.spec.rabbitmq;
    expect(advancedConfig.trim()).toBe(readText('deploy/compose/advanced.config').trim());
    const [here, compose] = [configOf(additionalConfig), configOf(readText('deploy/compose/rabbitmq.conf'))];
    expect([...here.keys()]).toEqual(expect.arrayContaining([...compose.keys()]));
    expect(here.get('max_message_size')).toBe(compose.get('max_message_size'));
    const grows = 'quorum_queue.continuous_membership_reconciliation';
    expect(here.get(`${grows}.enabled`)).toBe('true');
    expect(here.get(`${grows}.target_group_size`)).toBe(String(cluster.spec.replicas));
  });
});

import { basename } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { parseAllDocuments } from 'yaml';
import { filesBelow, readText } from './repository.js';

/** Where the manifests for Kubernetes are. */
export const MANIFESTS = 'deploy/kubernetes';

export interface Manifest {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

export const manifestFiles = filesBelow(MANIFESTS, '.yaml');
export const kustomizations = manifestFiles.filter((file) => basename(file) === 'kustomization.yaml');

/** Every manifest of every file. */
export const manifests = manifestFiles
  .filter((file) => !kustomizations.includes(file))
  .flatMap((file) => parseAllDocuments(readText(file)).map((document) => document.toJS() as Manifest));

/** The one manifest of a kind, as whatever the caller takes it for. @throws Error if there is none */
export function manifestOf<T = unknown>(kind: string, name?: string): T {
  const found = manifests.find((one) => one.kind === kind && (name === undefined || one.metadata.name === name));
  if (!found) throw new Error(`there is no ${kind} ${name ?? ''}`);
  return found as unknown as T;
}

/** The pod of an app, and its one container. */
export function deploymentOf(app: string) {
  const pod = new Deployment(manifestOf<never>('Deployment', app)).spec!.template.spec!;
  return { pod, container: pod.containers[0]! };
}

/** The pod of the migration job, and its one container. */
export function migrationJob() {
  const pod = new Job(manifestOf<never>('Job')).spec!.template.spec!;
  return { pod, container: pod.containers[0]! };
}

/** The variables that a container is given by its manifest. */
export const givenTo = ({ container }: ReturnType<typeof deploymentOf>): ReadonlyMap<string, string> =>
  new Map((container.env ?? []).map(({ name, value }) => [name, value!]));

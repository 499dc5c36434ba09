import { describe, expect, it } from 'vitest';
import { readManifest, workspacePackages } from './packages.js';
import { productionInstall } from './production-install.js';

const PACKAGES = workspacePackages();
const ROOT_MANIFEST = readManifest('.');

/** Tools of the whole repository: specs may import them without each package declaring them. */
const ROOT_TOOLS = [
  '@jridgewell/sourcemap-codec',
  '@nx/eslint-plugin',
  '@types/node',
  'eslint',
  'nx',
  'prettier',
  'rolldown',
  'typescript',
  'typescript-eslint',
  'vite',
  'vitest',
];

/** Declared without an import, each for a reason. */
const NOT_IMPORTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'apps/config': { '@fastify/static': '@nestjs/swagger loads it to serve the page at /docs' },
  'apps/dispatcher': { rxjs: 'Nest needs it beside itself' },
  'apps/ingest': { rxjs: 'Nest needs it beside itself' },
  test: { '@asyncapi/specs': 'a spec reads its schema as a file' },
};

const isOurs = (name: string): boolean => name.startsWith('@form-webhooks/');

describe.each(PACKAGES)('$folder', ({ folder, manifest, isTool, imports, testImports }) => {
  const forRunning = Object.keys(manifest.dependencies ?? {});
  const declared = [...forRunning, ...Object.keys(manifest.devDependencies ?? {})];

  it('declares what it imports', () => {
    const allowed = isTool ? declared : forRunning;
    expect([...imports].filter((name) => !allowed.includes(name))).toEqual([]);
    const allowedInTests = [...declared, ...ROOT_TOOLS, manifest.name];
    expect([...testImports].filter((name) => !allowedInTests.includes(name))).toEqual([]);
  });

  it('imports what it declares, or has a reason not to', () => {
    const typed = (name: string): string => name.replace('@types/', '');
    const reasons = Object.keys(NOT_IMPORTED[folder] ?? {});
    const unused = declared.filter((name) => !imports.has(typed(name)) && !testImports.has(typed(name)));
    expect(unused.sort()).toEqual(reasons.sort());
    const needless = forRunning.filter((name) => !isTool && !imports.has(name) && !reasons.includes(name));
    expect(needless, 'specs alone import them: devDependencies').toEqual([]);
  });
});

describe('the workspace', () => {
  it('has one exact version of each dependency', () => {
    const versions = new Map<string, Set<string>>();
    for (const manifest of [ROOT_MANIFEST, ...PACKAGES.map((one) => one.manifest)]) {
      for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
        versions.set(name, (versions.get(name) ?? new Set()).add(version));
      }
    }
    for (const [name, found] of versions) {
      expect([...found], name).toEqual([expect.stringMatching(isOurs(name) ? /^\*$/ : /^\d+\.\d+\.\d+$/)]);
    }
  });

  it('declares at its root the tools of the whole repository and nothing else', () => {
    expect(ROOT_MANIFEST.dependencies).toBeUndefined();
    expect(Object.keys(ROOT_MANIFEST.devDependencies!)).toEqual(ROOT_TOOLS);
  });
});

describe('a production install', () => {
  it.each(PACKAGES.filter(({ isTool }) => isTool))('never brings what $folder runs with', ({ manifest }) => {
    expect(Object.keys(manifest.dependencies ?? {}).filter((name) => !isOurs(name))).toEqual([]);
  });

  it.each([
    ['apps/ingest', ['fastify', 'amqplib'], ['pg', 'typeorm', 'got', '@nestjs/swagger', '@form-webhooks/storage']],
    ['apps/dispatcher', ['amqplib'], ['pg', 'typeorm', 'got', 'fastify', '@form-webhooks/storage']],
    ['apps/config', ['fastify', 'amqplib', 'pg', 'typeorm'], ['got', '@form-webhooks/sender']],
  ])('of %s brings %j, and nothing of %j', (folder, needed, foreign) => {
    const installed = productionInstall(folder);
    expect(needed.filter((name) => !installed.has(name))).toEqual([]);
    expect(foreign.filter((name) => installed.has(name))).toEqual([]);
  });

  it.each(['apps/ingest', 'apps/dispatcher', 'apps/config'])('of %s brings no tool of the tests', (folder) => {
    const tools = ['vitest', 'vite', 'eslint', 'nx', 'fast-check', 'standardwebhooks', '@peculiar/x509'];
    const installed = productionInstall(folder);
    expect(tools.filter((name) => installed.has(name))).toEqual([]);
  });
});

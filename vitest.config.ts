import { configDefaults, defineConfig } from 'vitest/config';

/** Specs lie outside the projects' tsconfigs (which the build reads), so the decorator rules are told here too. */
const oxc = { decorator: { legacy: true, emitDecoratorMetadata: true } };
const ssr = { resolve: { conditions: ['@form-webhooks/source'] } };

/**
 * The files of a worker share what they import: each would read Nest, TypeORM and the product's sources anew, two seconds
 * of a core a file. So whatever a test stubs is put back for it, also if it fails.
 */
const shared = {
  setupFiles: ['test/support/reflect-metadata.ts'],
  isolate: false,
  restoreMocks: true,
  unstubEnvs: true,
};

/**
 * How many spec files run side by side, each on databases and a virtual host of its own. They wait for servers, schedules
 * and outages much of their time, but some bound these waits too tightly yet to share two cores with another file.
 */
const INTEGRATION_WORKERS = 1;

export default defineConfig({
  test: {
    projects: [
      {
        oxc,
        ssr,
        test: {
          name: 'unit',
          include: ['{apps,libs}/*/src/**/*.spec.ts', 'deploy/local/src/**/*.spec.ts'],
          ...shared,
        },
      },
      {
        oxc,
        ssr,
        test: {
          name: 'documentation',
          include: ['test/documentation/**/*.spec.ts'],
          ...shared,
        },
      },
      {
        oxc,
        ssr,
        test: {
          name: 'integration',
          include: ['test/**/*.spec.ts'],
          exclude: [...configDefaults.exclude, 'test/documentation/**'],
          ...shared,
          globalSetup: ['test/support/servers.ts'],
          maxWorkers: INTEGRATION_WORKERS,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});

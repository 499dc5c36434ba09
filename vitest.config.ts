import { configDefaults, defineConfig } from 'vitest/config';

/** Specs lie outside the projects' tsconfigs (which the build reads), so the decorator rules are told here too. */
const oxc = { decorator: { legacy: true, emitDecoratorMetadata: true } };
const ssr = { resolve: { conditions: ['@form-webhooks/source'] } };

export default defineConfig({
  test: {
    projects: [
      {
        oxc,
        ssr,
        test: {
          name: 'unit',
          include: ['{apps,libs}/*/src/**/*.spec.ts', 'deploy/local/src/**/*.spec.ts'],
          setupFiles: ['test/support/reflect-metadata.ts'],
        },
      },
      {
        oxc,
        ssr,
        test: {
          name: 'documentation',
          include: ['test/documentation/**/*.spec.ts'],
          setupFiles: ['test/support/reflect-metadata.ts'],
        },
      },
      {
        oxc,
        ssr,
        test: {
          name: 'integration',
          include: ['test/**/*.spec.ts'],
          exclude: [...configDefaults.exclude, 'test/documentation/**'],
          setupFiles: ['test/support/reflect-metadata.ts'],
          globalSetup: ['test/support/servers.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});

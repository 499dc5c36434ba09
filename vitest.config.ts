import { defineConfig } from 'vitest/config';

const ssr = { resolve: { conditions: ['@form-webhooks/source'] } };

export default defineConfig({
  test: {
    projects: [
      {
        ssr,
        test: {
          name: 'unit',
          include: ['{apps,libs}/*/src/**/*.spec.ts', 'deploy/local/src/**/*.spec.ts'],
          setupFiles: ['test/support/reflect-metadata.ts'],
        },
      },
      {
        ssr,
        test: {
          name: 'integration',
          include: ['test/**/*.spec.ts'],
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

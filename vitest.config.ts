import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Specs lie outside the projects' tsconfigs (which the build reads), so the decorator rules are told here too. */
const oxc = { decorator: { legacy: true, emitDecoratorMetadata: true } };
const ssr = { resolve: { conditions: ['@form-webhooks/source'] } };

/**
 * The files of a worker share what they import: each would read Nest, TypeORM and the product's sources anew, two seconds
 * of a core a file. So whatever a test stubs is put back for it, also if it fails.
 */
const shared = {
  setupFiles: ['test/support/reflect-metadata.ts', 'test/support/waiting/growing-waits.ts'],
  // For what hangs; how fast something is, is told by `npm run bench`.
  testTimeout: 30_000,
  hookTimeout: 60_000,
  isolate: false,
  restoreMocks: true,
  unstubEnvs: true,
};

/**
 * How many spec files run side by side, each on databases and a virtual host of its own: they wait for servers, schedules
 * and outages most of their time. A broker of the user's own has one virtual host.
 */
const INTEGRATION_WORKERS = process.env['RABBITMQ_URL'] === undefined ? 3 : 1;

/** Specs without servers wait for time-outs and for sockets half of their time. */
const UNIT_WORKERS = 4;

/** Some of whose specs take minutes, most of it for outages: begun last, they would run alone at the end. */
const LONG_ROOMS = /\/test\/(survival|broker|reconciler|dashboard|observability)\//;

class LongRoomsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLater = ({ moduleId, project }: TestSpecification): number =>
      2 * project.config.sequence.groupOrder + (LONG_ROOMS.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).sort((a, b) => isLater(a) - isLater(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongRoomsFirst },
    projects: [
      {
        oxc,
        ssr,
        test: {
          name: 'unit',
          include: [
            '{apps,libs}/*/src/**/*.spec.ts',
            'deploy/local/src/**/*.spec.ts',
            'test/{bench,survive}/src/**/*.spec.ts',
          ],
          ...shared,
          maxWorkers: UNIT_WORKERS,
        },
      },
      {
        oxc,
        ssr,
        test: {
          name: 'documentation',
          include: ['test/documentation/**/*.spec.ts'],
          ...shared,
          maxWorkers: UNIT_WORKERS,
        },
      },
      {
        oxc,
        ssr,
        test: {
          name: 'integration',
          include: ['test/**/*.spec.ts'],
          exclude: [...configDefaults.exclude, 'test/documentation/**', 'test/{bench,survive}/src/**'],
          ...shared,
          globalSetup: ['test/support/servers.ts'],
          maxWorkers: INTEGRATION_WORKERS,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});

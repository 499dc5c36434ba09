import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns that tables got after they were made: a migration each, which runs in the order of its number. A line that has
 * landed is never edited. A column without a default is there in an instant, in all partitions, however large they are;
 * what stands has null in it, and so has what a service of the release before still writes.
 */
export const ADDED_COLUMNS = [
  // Which generation of a delivery a job chose; null in jobs that were made before, which compare nothing.
  addColumn('AddGenerationToReplayItems1764206000000', 'replay_items', 'generation', 'integer'),
  // Why an open delivery was put off last; null in what was written before, and where nothing put it off.
  addColumn('AddWaitsForToDeliveries1764212000000', 'deliveries', 'waits_for', 'text'),
  // What an endpoint's owner wants otherwise than the installation has it; null where that counts.
  addColumn('AddRetryStatusesToEndpoints1764222000000', 'endpoints', 'retry_statuses', 'integer[]'),
  addColumn(
    'AddRedirectIsSuccessToEndpoints1764223000000',
    'endpoints',
    'redirect_is_success',
    'boolean NOT NULL DEFAULT false',
  ),
  addColumn('AddRateLimitToEndpoints1764224000000', 'endpoints', 'rate_limit', 'double precision'),
  // In ms.
  addColumn('AddRetryScheduleToEndpoints1764225000000', 'endpoints', 'retry_schedule', 'integer[]'),
];

function addColumn(migration: string, table: string, column: string, type: string): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = migration;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    }

    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    }
  };
}

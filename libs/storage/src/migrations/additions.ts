import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexConcurrently, indexPartitionsConcurrently, type LargeIndex } from './index-concurrently.js';

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
  // Who made a secret, and since when it is what it is; null in those that were made before.
  addColumn('AddCreatedByToEndpointSecrets1764226000000', 'endpoint_secrets', 'created_by', 'text'),
  addColumn('AddStateSinceToEndpointSecrets1764227000000', 'endpoint_secrets', 'state_since', 'timestamptz(3)'),
  // Since when an endpoint is off; null while it is on, and in those that were off before.
  addColumn('AddDisabledAtToEndpoints1764263000000', 'endpoints', 'disabled_at', 'timestamptz(3)'),
  // What the parts of an attempt took, ms; null in those that were made before.
  addColumn('AddTimingsToAttempts1764262000000', 'attempts', 'timings', 'integer[]'),
  // The beginning of an answer that its excerpt doesn't say exactly, in base64; null where it does, and before.
  addColumn('AddResponseBytesToAttempts1764264000000', 'attempts', 'response_bytes', 'text'),
  // The API key that opened the dashboard; null where a person's token did, and in what was opened before.
  addColumn('AddKeyIdToDashboardGrants1764265000000', 'dashboard_grants', 'key_id', 'text'),
];

/** Indexes that tables got after they were made, in the same way; none stops who writes to the table meanwhile. */
export const ADDED_INDEXES = [
  // Lists of forms, of a workspace and of all.
  addIndex('IndexFormsOfWorkspaces1764230000000', {
    ...{ name: 'forms_workspace_id_created_at_id_idx', table: 'forms' },
    on: '(workspace_id, created_at, id) WHERE deleted_at IS NULL',
  }),
  addIndex('IndexForms1764231000000', {
    ...{ name: 'forms_created_at_id_idx', table: 'forms' },
    on: '(created_at, id) WHERE deleted_at IS NULL',
  }),
  // An endpoint's next attempt. What is delivered at once is never in it.
  addIndex(
    'IndexWaitingDeliveries1764233000000',
    {
      ...{ name: 'deliveries_waiting_idx', table: 'deliveries' },
      on: `(endpoint_id, next_attempt_at) WHERE state IN ('pending', 'retrying')`,
    },
    indexPartitionsConcurrently,
  ),
  // Lists of replays.
  addIndex('IndexReplaysOfForms1764234000000', {
    ...{ name: 'replays_form_id_created_at_id_idx', table: 'replays' },
    on: '(form_id, created_at, id)',
  }),
];

function addIndex(migration: string, index: LargeIndex, make = indexConcurrently): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = migration;
    /** What PostgreSQL asks for. */
    readonly transaction = false;

    up(runner: QueryRunner): Promise<void> {
      return make(runner, index);
    }

    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`DROP INDEX ${index.name}`);
    }
  };
}

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

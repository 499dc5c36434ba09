import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What became of an event, when it was accepted and under which key: of events for which nobody listened nothing else
 * tells. Rows that stand have null in these columns, as have those that a service of the release before still writes; all
 * of them have deliveries.
 */
export class RecordEventOutcomes1764211000000 implements MigrationInterface {
  readonly name = 'RecordEventOutcomes1764211000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [TYPE, COLUMNS, ...INDEXES]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events DROP COLUMN accepted_at, DROP COLUMN outcome, DROP COLUMN idempotency_key');
    await runner.query('DROP INDEX events_submission_id_idx');
    await runner.query('DROP TYPE event_outcome');
  }
}

/** It sorts in the order in which one outcome replaces another. */
const TYPE = `CREATE TYPE event_outcome AS ENUM ('waiting', 'not_registered', 'no_endpoints', 'fanned_out')`;

const COLUMNS = `ALTER TABLE events ADD COLUMN accepted_at timestamptz(3), ADD COLUMN outcome event_outcome,
  ADD COLUMN idempotency_key text COLLATE "C"`;

/** A hash index holds four bytes of a text instead of all of it, and no null. */
const INDEXES = [
  'CREATE INDEX events_form_id_accepted_at_idx ON events (form_id, accepted_at)',
  'CREATE INDEX events_submission_id_idx ON events USING hash (submission_id)',
  'CREATE INDEX events_idempotency_key_idx ON events USING hash (idempotency_key)',
];

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Failed attempts by their cause. What has never failed has no row: its attempts write nothing here. */
export class CreateAttemptFailures1764251000000 implements MigrationInterface {
  readonly name = 'CreateAttemptFailures1764251000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLE) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE attempt_failures');
  }
}

const TABLE = [
  `CREATE TABLE attempt_failures (
    hour timestamptz(0) NOT NULL,
    attempts integer NOT NULL,
    form_id text COLLATE "C" NOT NULL,
    endpoint_id text COLLATE "C" NOT NULL,
    cause text COLLATE "C" NOT NULL,
    CONSTRAINT attempt_failures_pkey PRIMARY KEY (form_id, endpoint_id, hour, cause)
  ) WITH (fillfactor = 50)`,
  `COMMENT ON TABLE attempt_failures IS 'failed attempts by the hour of started_at and their cause, tests aside'`,
  // The retention looks for hours over all forms.
  `CREATE INDEX attempt_failures_hour_idx ON attempt_failures (hour)`,
];

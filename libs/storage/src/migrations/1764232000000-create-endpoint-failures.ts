import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How endpoints fail that fail now, or did once. One that never failed has no row: its attempts write nothing here. */
export class CreateEndpointFailures1764232000000 implements MigrationInterface {
  readonly name = 'CreateEndpointFailures1764232000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE endpoint_failures (
      failing_since timestamptz(3),
      last_failed_at timestamptz(3),
      succeeded_at timestamptz(3),
      consecutive integer NOT NULL,
      last_outcome attempt_outcome,
      last_status smallint,
      endpoint_id text COLLATE "C" NOT NULL,
      last_error text,
      CONSTRAINT endpoint_failures_pkey PRIMARY KEY (endpoint_id)
    ) WITH (fillfactor = 50)`);
    await runner.query(
      `COMMENT ON COLUMN endpoint_failures.succeeded_at IS 'the start of the attempt that ended the failures last'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE endpoint_failures');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was done under an `Idempotency-Key`, and what was answered. */
export class CreateIdempotentWrites1764205000000 implements MigrationInterface {
  readonly name = 'CreateIdempotentWrites1764205000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLE) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotent_writes');
  }
}

const TABLE = [
  `CREATE TABLE idempotent_writes (
    caller text NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    claimed_at timestamptz(3) NOT NULL,
    sealed_answer text,
    CONSTRAINT idempotent_writes_pkey PRIMARY KEY (caller, key)
  )`,
  `CREATE INDEX idempotent_writes_claimed_at_idx ON idempotent_writes (claimed_at)`,
];

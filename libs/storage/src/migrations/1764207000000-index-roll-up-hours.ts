import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The retention looks for hours over all forms, which the primary keys, form first, can't find without reading it all. */
export class IndexRollUpHours1764207000000 implements MigrationInterface {
  readonly name = 'IndexRollUpHours1764207000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`CREATE INDEX ${table}_hour_idx ON ${table} (hour)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`DROP INDEX ${table}_hour_idx`);
  }
}

const TABLES = ['delivery_counts', 'attempt_latencies'];

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which generation of a delivery a job chose; null in jobs that were made before, which compare nothing. */
export class AddGenerationToReplayItems1764206000000 implements MigrationInterface {
  readonly name = 'AddGenerationToReplayItems1764206000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE replay_items ADD COLUMN generation integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE replay_items DROP COLUMN generation');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every lookup of a form lists its newest erasures: a form that had very many must not make that slow. */
export class IndexErasures1764204000000 implements MigrationInterface {
  readonly name = 'IndexErasures1764204000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX erased_submissions_form_id_requested_at_idx ON erased_submissions (form_id, requested_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX erased_submissions_form_id_requested_at_idx');
  }
}

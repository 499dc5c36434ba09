import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a delivery is cancelled that an operator discarded from the parked ones. */
export class AddReasonDiscarded1764208000000 implements MigrationInterface {
  readonly name = 'AddReasonDiscarded1764208000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TYPE delivery_reason ADD VALUE IF NOT EXISTS 'discarded'`);
  }

  /** PostgreSQL can't take a value out of an enumeration, and one that nobody writes does no harm. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a delivery is cancelled that its owner called off while it waited. */
export class AddReasonCancelledByOwner1764221000000 implements MigrationInterface {
  readonly name = 'AddReasonCancelledByOwner1764221000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TYPE delivery_reason ADD VALUE IF NOT EXISTS 'cancelled_by_owner'`);
  }

  /** PostgreSQL can't take a value out of an enumeration, and one that nobody writes does no harm. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}

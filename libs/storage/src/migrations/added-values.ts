import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Values that enumerations got after they were made: a migration each, which runs in the order of its number. A line
 * that has landed is never edited.
 */
export const ADDED_VALUES = [
  // Why a delivery is cancelled that an operator discarded from the parked ones.
  addValue('AddReasonDiscarded1764208000000', 'delivery_reason', 'discarded'),
  // Why a delivery is cancelled that its owner called off while it waited.
  addValue('AddReasonCancelledByOwner1764221000000', 'delivery_reason', 'cancelled_by_owner'),
  // Why a delivery is failed that the broker lost, and of which the log has no payload to send again.
  addValue('AddReasonPayloadMissing1764235000000', 'delivery_reason', 'payload_missing'),
];

function addValue(migration: string, type: string, value: string): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = migration;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`ALTER TYPE ${type} ADD VALUE IF NOT EXISTS '${value}'`);
    }

    /** PostgreSQL can't take a value out of an enumeration, and one that nobody writes does no harm. */
    down(): Promise<void> {
      return Promise.resolve();
    }
  };
}

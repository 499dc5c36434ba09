import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the reconciler is, so that any replica can go on with what another one began. One runs at a time. */
export class CreateReconciliations1764203000000 implements MigrationInterface {
  readonly name = 'CreateReconciliations1764203000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE reconciliation_items, reconciliations');
  }
}

const TABLES = [
  `CREATE TABLE reconciliations (
    id text COLLATE "C" NOT NULL CONSTRAINT reconciliations_pkey PRIMARY KEY,
    phase text NOT NULL CONSTRAINT reconciliations_phase_check
      CHECK (phase IN ('due', 'deliveries', 'settle', 'log', 'rest', 'publish', 'done')),
    began_at timestamptz(3) NOT NULL,
    phase_at timestamptz(3) NOT NULL,
    fence_sent_at timestamptz(3),
    echoed boolean NOT NULL DEFAULT false,
    lost integer NOT NULL DEFAULT 0,
    republished integer NOT NULL DEFAULT 0,
    finished_at timestamptz(3),
    CONSTRAINT reconciliations_finished_at_check CHECK ((phase = 'done') = (finished_at IS NOT NULL))
  )`,
  `COMMENT ON COLUMN reconciliations.began_at IS 'when the first fence was sent; what is lost was due well before it'`,
  `CREATE UNIQUE INDEX reconciliations_one_runs ON reconciliations ((true)) WHERE finished_at IS NULL`,
  `CREATE INDEX reconciliations_finished_at_idx ON reconciliations (finished_at)`,
  `CREATE TABLE reconciliation_items (
    reconciliation_id text COLLATE "C" NOT NULL,
    position integer NOT NULL,
    delivery_id text COLLATE "C" NOT NULL,
    day date NOT NULL,
    CONSTRAINT reconciliation_items_pkey PRIMARY KEY (reconciliation_id, position),
    CONSTRAINT reconciliation_items_reconciliation_id_fkey
      FOREIGN KEY (reconciliation_id) REFERENCES reconciliations (id) ON DELETE CASCADE
  )`,
];

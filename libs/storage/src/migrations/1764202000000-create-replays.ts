import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs that replay many deliveries. What a job is to replay is fixed when it is made: the preview is what happens. */
export class CreateReplays1764202000000 implements MigrationInterface {
  readonly name = 'CreateReplays1764202000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE replay_items, replays');
  }
}

const TABLES = [
  `CREATE TABLE replays (
    id text COLLATE "C" NOT NULL CONSTRAINT replays_pkey PRIMARY KEY,
    workspace_id text NOT NULL,
    form_id text COLLATE "C" NOT NULL,
    filter json NOT NULL,
    state text NOT NULL CONSTRAINT replays_state_check CHECK (state IN ('running', 'done', 'cancelled')),
    matched integer NOT NULL,
    replayed integer NOT NULL DEFAULT 0,
    skipped integer NOT NULL DEFAULT 0,
    next_batch_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    finished_at timestamptz(3),
    CONSTRAINT replays_finished_at_check CHECK ((state = 'running') = (finished_at IS NULL))
  )`,
  `CREATE INDEX replays_running_idx ON replays (next_batch_at) WHERE state = 'running'`,
  `CREATE TABLE replay_items (
    replay_id text COLLATE "C" NOT NULL,
    position integer NOT NULL,
    delivery_id text COLLATE "C" NOT NULL,
    CONSTRAINT replay_items_pkey PRIMARY KEY (replay_id, position),
    CONSTRAINT replay_items_replay_id_fkey FOREIGN KEY (replay_id) REFERENCES replays (id) ON DELETE CASCADE
  )`,
];

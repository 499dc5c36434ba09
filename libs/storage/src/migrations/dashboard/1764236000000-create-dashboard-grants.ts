import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time codes and sessions of the dashboard. */
export class CreateDashboardGrants1764236000000 implements MigrationInterface {
  readonly name = 'CreateDashboardGrants1764236000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLE) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dashboard_grants');
  }
}

const TABLE = [
  `CREATE TABLE dashboard_grants (
    hash text NOT NULL,
    kind text NOT NULL,
    workspace_id text NOT NULL,
    actor text NOT NULL,
    scopes text[] NOT NULL,
    form_id text NOT NULL,
    host_url text,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT dashboard_grants_pkey PRIMARY KEY (hash),
    CONSTRAINT dashboard_grants_kind_check CHECK (kind IN ('code', 'session'))
  )`,
  `CREATE INDEX dashboard_grants_workspace_id_actor_created_at_idx
    ON dashboard_grants (workspace_id, actor, created_at)`,
  `CREATE INDEX dashboard_grants_expires_at_idx ON dashboard_grants (expires_at)`,
];

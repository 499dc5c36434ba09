import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Headers that owners add to the requests of an endpoint, their values sealed. */
export class CreateEndpointHeaders1764220000000 implements MigrationInterface {
  readonly name = 'CreateEndpointHeaders1764220000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE endpoint_headers (
      endpoint_id text NOT NULL,
      name text NOT NULL,
      workspace_id text NOT NULL,
      sealed text NOT NULL,
      key_id text NOT NULL,
      set_at timestamptz(3) NOT NULL,
      CONSTRAINT endpoint_headers_pkey PRIMARY KEY (endpoint_id, name),
      CONSTRAINT endpoint_headers_workspace_id_endpoint_id_fkey
        FOREIGN KEY (workspace_id, endpoint_id) REFERENCES endpoints (workspace_id, id)
    )`);
    await runner.query(`CREATE INDEX endpoint_headers_key_id_endpoint_id_name_idx ON endpoint_headers
      (key_id, endpoint_id, name)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE endpoint_headers');
  }
}

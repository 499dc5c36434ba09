import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Any number of an endpoint's retired secrets may still be valid, each until its own end; of the others there is one. */
export class KeepRetiredSecrets1764215000000 implements MigrationInterface {
  readonly name = 'KeepRetiredSecrets1764215000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE endpoint_secrets DROP CONSTRAINT endpoint_secrets_endpoint_id_state_key');
    await runner.query(`CREATE UNIQUE INDEX endpoint_secrets_endpoint_id_state_idx ON endpoint_secrets
      (endpoint_id, state) WHERE state <> 'previous'`);
    await runner.query(`CREATE INDEX endpoint_secrets_endpoint_id_expires_at_idx ON endpoint_secrets
      (endpoint_id, expires_at) WHERE state = 'previous'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM endpoint_secrets older USING endpoint_secrets younger
      WHERE older.state = 'previous' AND younger.state = 'previous' AND older.endpoint_id = younger.endpoint_id
        AND (older.expires_at, older.id) < (younger.expires_at, younger.id)`);
    await runner.query(
      'DROP INDEX endpoint_secrets_endpoint_id_state_idx, endpoint_secrets_endpoint_id_expires_at_idx',
    );
    await runner.query(`ALTER TABLE endpoint_secrets
      ADD CONSTRAINT endpoint_secrets_endpoint_id_state_key UNIQUE (endpoint_id, state)`);
  }
}

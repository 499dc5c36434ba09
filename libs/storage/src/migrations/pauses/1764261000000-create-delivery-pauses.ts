import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an operator holds back: all deliveries, those of a form or of an endpoint. A few rows, read with each form. */
export class CreateDeliveryPauses1764261000000 implements MigrationInterface {
  readonly name = 'CreateDeliveryPauses1764261000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE delivery_pauses (
      paused_at timestamptz(3) NOT NULL,
      form_id text COLLATE "C" NOT NULL,
      endpoint_id text COLLATE "C" NOT NULL,
      CONSTRAINT delivery_pauses_pkey PRIMARY KEY (form_id, endpoint_id)
    )`);
    await runner.query(
      `COMMENT ON TABLE delivery_pauses IS 'an empty form_id stands for all forms, an empty endpoint_id for all of a form'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE delivery_pauses');
  }
}

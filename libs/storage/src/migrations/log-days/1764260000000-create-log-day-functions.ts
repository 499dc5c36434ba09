import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LOCKS } from '../../locks/session-lock.js';

/**
 * The days of the log are tables, so to make and drop them is a change of the schema. These two functions run with the
 * rights of whoever migrates, so that the role config runs as needs none: it may make a day of the near future and drop
 * one that is over, and nothing else.
 */
export class CreateLogDayFunctions1764260000000 implements MigrationInterface {
  readonly name = 'CreateLogDayFunctions1764260000000';

  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [{ schema: string }];
    for (const statement of FUNCTIONS) await runner.query(statement);
    for (const signature of SIGNATURES) {
      // Names mean the log's tables, whatever the caller has set or has among its temporary tables.
      await runner.query(`ALTER FUNCTION ${signature} SET search_path = ${schema}, pg_temp`);
      await runner.query(`REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const signature of SIGNATURES) await runner.query(`DROP FUNCTION ${signature}`);
  }
}

const SIGNATURES = ['make_log_day(date)', 'drop_log_table(text)'];

/*
 * Deliveries and attempts are written again and again within their first minutes, so a page keeps room for new versions;
 * a day's table is small beside the whole, so autovacuum and analyze look at it early.
 *
 * A table is made apart and then attached: that asks for no lock on the log that a reader or writer would wait for, where
 * CREATE TABLE … PARTITION OF would stop both.
 */
const FUNCTIONS = [
  `CREATE FUNCTION make_log_day(wanted date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
  DECLARE
    parent text;
    part text;
    storage text;
  BEGIN
    IF wanted > (now() AT TIME ZONE 'UTC')::date + 31 THEN
      RAISE EXCEPTION '% lies too far ahead for a day of the log', wanted USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM pg_advisory_xact_lock(${LOCKS.makeDays});
    FOREACH parent IN ARRAY ARRAY['events', 'deliveries', 'attempts'] LOOP
      part := parent || '_' || to_char(wanted, 'YYYYMMDD');
      CONTINUE WHEN to_regclass(part) IS NOT NULL;
      storage := CASE parent
        WHEN 'deliveries' THEN
          'fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05'
        ELSE 'fillfactor = 100, autovacuum_analyze_scale_factor = 0.05' END;
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) WITH (%s)', part, parent, storage);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, part, wanted, wanted + 1);
    END LOOP;
  END $$`,
  `CREATE FUNCTION drop_log_table(part text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
  DECLARE
    parent text := split_part(part, '_', 1);
  BEGIN
    IF part !~ '^(events|deliveries|attempts)_[0-9]{8}$'
      OR to_date(split_part(part, '_', 2), 'YYYYMMDD') >= (now() AT TIME ZONE 'UTC')::date - 1 THEN
      RAISE EXCEPTION '% is no day of the log that is over', part USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass(part) AND inhdetachpending) THEN
      EXECUTE format('ALTER TABLE %I DETACH PARTITION %I FINALIZE', parent, part);
    END IF;
    EXECUTE format('DROP TABLE IF EXISTS %I', part);
  END $$`,
];

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
    // Where the tables of the log are: whoever migrates has them first in his path.
    const [{ home }] = (await runner.query('SELECT quote_literal(current_schema()) AS home')) as [{ home: string }];
    for (const statement of functionsIn(home)) await runner.query(statement);
    for (const signature of SIGNATURES) {
      /*
       * Whoever may make something in a schema of the path could put a function of his own before PostgreSQL's, which
       * would run with the owner's rights. So there is none in it, and names of tables are whole.
       */
      await runner.query(`ALTER FUNCTION ${signature} SET search_path = pg_catalog, pg_temp`);
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
 *
 * DROP TABLE locks the whole log before the day's table, and all would wait with it for who reads that day. So the day's
 * table is locked first, at once or not at all. Whoever comes from the log to the day meanwhile and so waits for this
 * one is let go by `lock_timeout`, which is shorter than the time after which PostgreSQL looks for a deadlock.
 *
 * A day further back than the log can be kept (ten years) is refused, so that nobody fills the schema with tables.
 *
 * `home`: the schema, as a literal.
 */
const functionsIn = (home: string): readonly string[] => [
  `CREATE FUNCTION make_log_day(wanted date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $function$
  DECLARE
    home constant text := ${home};
    today constant date := (now() AT TIME ZONE 'UTC')::date;
    parent text;
    part text;
    storage text;
  BEGIN
    IF wanted > today + 31 THEN
      RAISE EXCEPTION '% lies too far ahead for a day of the log', wanted USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF wanted < today - 3651 THEN
      RAISE EXCEPTION '% lies too far back for a day of the log', wanted USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM pg_advisory_xact_lock(${LOCKS.makeDays});
    FOREACH parent IN ARRAY ARRAY['events', 'deliveries', 'attempts'] LOOP
      part := parent || '_' || to_char(wanted, 'YYYYMMDD');
      CONTINUE WHEN to_regclass(format('%I.%I', home, part)) IS NOT NULL;
      storage := CASE parent
        WHEN 'deliveries' THEN
          'fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05'
        ELSE 'fillfactor = 100, autovacuum_analyze_scale_factor = 0.05' END;
      EXECUTE format('CREATE TABLE %1$I.%2$I (LIKE %1$I.%3$I INCLUDING ALL) WITH (%4$s)', home, part, parent, storage);
      EXECUTE format('ALTER TABLE %1$I.%3$I ATTACH PARTITION %1$I.%2$I FOR VALUES FROM (%4$L) TO (%5$L)',
        home, part, parent, wanted, wanted + 1);
    END LOOP;
  END $function$`,
  `CREATE FUNCTION drop_log_table(part text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $function$
  DECLARE
    home constant text := ${home};
    parent text := split_part(part, '_', 1);
    found_part regclass;
  BEGIN
    IF part IS NULL OR part !~ '^(events|deliveries|attempts)_[0-9]{8}$'
      OR to_date(split_part(part, '_', 2), 'YYYYMMDD') >= (now() AT TIME ZONE 'UTC')::date - 1 THEN
      RAISE EXCEPTION '% is no day of the log that is over', part USING ERRCODE = 'insufficient_privilege';
    END IF;
    found_part := to_regclass(format('%I.%I', home, part));
    IF found_part IS NULL THEN RETURN; END IF;
    EXECUTE format('LOCK TABLE ONLY %I.%I IN ACCESS EXCLUSIVE MODE NOWAIT', home, part);
    IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = found_part AND inhdetachpending) THEN
      EXECUTE format('ALTER TABLE %1$I.%2$I DETACH PARTITION %1$I.%3$I FINALIZE', home, parent, part);
    END IF;
    EXECUTE format('DROP TABLE IF EXISTS %I.%I', home, part);
  END $function$`,
];

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ATTEMPT_OUTCOMES, DELIVERY_STATES, EVENT_NAMES, REASONS, TRIGGERS } from '@form-webhooks/domain';
import { type DataSource, migrate, TABLES } from '@form-webhooks/storage';
import { emptyDatabase, openDatabase } from '../support/config/config-database.js';

describe('the migrations', () => {
  let url: string;
  let drop: () => Promise<void>;
  const opened: DataSource[] = [];

  const open = async (): Promise<DataSource> => {
    const dataSource = await openDatabase(url);
    opened.push(dataSource);
    return dataSource;
  };

  beforeAll(async () => {
    ({ url, drop } = await emptyDatabase());
  });

  afterAll(async () => {
    await Promise.all(opened.map((dataSource) => dataSource.destroy()));
    await drop();
  });

  it('run once when replicas start together', async () => {
    const replicas = await Promise.all([open(), open(), open()]);
    const ran = await Promise.all(replicas.map((replica) => migrate(replica)));
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
  });

  it('build exactly the tables that the entities describe', async () => {
    const drift = await (await open()).driver.createSchemaBuilder().log();
    expect(drift.upQueries.map((query) => query.query)).toEqual([]);
  });

  it('make the tables that a backup is looked through for, and no others', async () => {
    const rows = (await (
      await open()
    ).query(`SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`)) as {
      name: string;
    }[];
    expect(rows.map(({ name }) => name).toSorted()).toEqual(TABLES.toSorted());
  });

  it.each([
    ['event_name', EVENT_NAMES],
    ['delivery_state', DELIVERY_STATES],
    ['delivery_reason', REASONS],
    ['delivery_trigger', TRIGGERS],
    ['attempt_outcome', ATTEMPT_OUTCOMES],
  ])('know every %s that a record can have', async (type, values) => {
    const [row] = (await (await open()).query(`SELECT enum_range(NULL::${type})::text[] AS known`)) as [
      { known: string[] },
    ];
    expect(row.known.toSorted()).toEqual(values.toSorted());
  });
});

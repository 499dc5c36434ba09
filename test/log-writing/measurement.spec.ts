import { FIRST_POSITION } from '@form-webhooks/domain';
import { LogPartitions, measureLog, upcomingDays, type DataSource, type LogMeasurement } from '@form-webhooks/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anEvent, aStep, logDatabase, logWriter } from '../support/config/delivery-log.js';

const HOUR_MS = 3_600_000;

describe('what is measured of the delivery log', () => {
  let dataSource: DataSource;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ dataSource, drop } = await logDatabase());
    await new LogPartitions(dataSource).make(upcomingDays(Date.now()));
  });
  afterAll(() => drop());

  const measure = (): Promise<LogMeasurement> => dataSource.transaction(measureLog);

  it('is nothing while nothing is open', async () => {
    const done = anEvent();
    await logWriter(dataSource).write([done, aStep(done)]);
    expect(await measure()).toEqual({
      ...{ open: [], openCut: false, oldestOpenSeconds: 0, overdueSeconds: 0, erasures: 0, oldestErasureSeconds: 0 },
      ...{ phase: null, reconcilingSeconds: 0, reconciledSeconds: null },
    });
  });

  it('is what is open by state and cause, how old the oldest is, and how overdue one', async () => {
    const putOff = { position: { ...FIRST_POSITION, deferrals: 1 }, state: 'pending', attempt: null } as const;
    const [fresh, waiting, late] = [anEvent(), anEvent(), anEvent({ acceptedAt: Date.now() - HOUR_MS })];
    await logWriter(dataSource).write([
      fresh,
      waiting,
      aStep(waiting, { ...putOff, nextAttemptAt: Date.now() + HOUR_MS, waitsFor: 'rate_limit' }),
      late,
      aStep(late, { state: 'retrying', nextAttemptAt: Date.now() - HOUR_MS / 2 }),
    ]);
    const { open, openCut, oldestOpenSeconds, overdueSeconds } = await measure();
    expect(open).toEqual([
      { state: 'pending', waitsFor: 'none', deliveries: 1 },
      { state: 'pending', waitsFor: 'rate_limit', deliveries: 1 },
      { state: 'retrying', waitsFor: 'none', deliveries: 1 },
    ]);
    expect(openCut).toBe(false);
    expect(oldestOpenSeconds).toBeGreaterThanOrEqual(3_600);
    expect(overdueSeconds).toBeGreaterThanOrEqual(1_800);
    expect(overdueSeconds).toBeLessThan(oldestOpenSeconds);
  });

  it('is which erasures wait, and where the search for lost deliveries is', async () => {
    await dataSource.query(`INSERT INTO erased_submissions (requested_at, form_id, submission_id, erased_at) VALUES
      (now() - interval '1 hour', 'f_1', 's_1', NULL), (now() - interval '2 hours', 'f_1', 's_2', now())`);
    await dataSource.query(`INSERT INTO reconciliations (id, phase, began_at, phase_at, finished_at) VALUES
      ('rec_1', 'done', now(), now(), now() - interval '90 seconds'),
      ('rec_2', 'log', now() - interval '60 seconds', now(), NULL)`);
    const measured = await measure();
    expect(measured).toMatchObject({ erasures: 1, phase: 'log' });
    expect(Math.round(measured.oldestErasureSeconds / 60)).toBe(60);
    expect(measured.reconcilingSeconds).toBeGreaterThanOrEqual(60);
    expect(measured.reconciledSeconds).toBeGreaterThanOrEqual(90);
  });
});

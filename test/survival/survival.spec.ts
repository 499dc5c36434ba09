import { temporaryFolder } from '@form-webhooks/local';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allKilled,
  BROKER_FAULTS,
  duplicatesDuring,
  POSTGRES_FAULTS,
  printed,
  rollingRestart,
  survive,
  type Fault,
  type SurvivalReport,
} from '@form-webhooks/survive';

/*
 * The short form of `npm run survive`: the same product, load and judge, fewer faults, each once and in this order. The
 * rolling restart comes first, so that nothing that was killed can be the reason of what it repeats.
 */

const RUN_MS = 520_000;

const serverFault = (kind: string): Fault => {
  const found = [...POSTGRES_FAULTS, ...BROKER_FAULTS].find((fault) => fault.kind === kind);
  if (!found) throw new Error(`no fault is called ${kind}`);
  return found;
};

const FAULTS: readonly Fault[] = [
  rollingRestart,
  allKilled,
  serverFault('PostgreSQL restart immediate'),
  serverFault('broker restart'),
  serverFault('broker kill -9'),
];

const folder = temporaryFolder('form-webhooks-survival-');
let report: SurvivalReport;

beforeAll(async () => {
  report = await survive({
    settings: { seed: 7, perSecond: 20, forms: 6, ingests: 2, dispatchers: 1, cluster: false },
    folder: folder.path,
    spans: { short: [500, 1_000], long: [1_000, 2_000] },
    // On a busy machine deliveries are put off by a minute and more; what is lost is published again after one.
    quietWithinMs: 240_000,
    strike: (run) => run.strikeAll(FAULTS),
    say: () => undefined,
  });
  console.log(printed(report));
}, RUN_MS);

afterAll(() => folder.remove());

describe('under load', () => {
  it('every accepted event reaches every endpoint, whatever is killed, stopped or restarted', () => {
    expect(report.faults).toEqual([]);
    expect(report.losses).toBe(0);
    expect(report.struck.map(({ kind }) => kind)).toEqual(FAULTS.map(({ kind }) => kind));
    expect(report.events).toBeGreaterThan(100);
  });

  it('a rolling restart of all services repeats nothing', () => {
    expect(duplicatesDuring(report, rollingRestart.kind)).toBe(0);
  });
});

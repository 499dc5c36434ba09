import { temporaryFolder, type TemporaryFolder } from '@form-webhooks/local';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  BROKER_FAULTS,
  POSTGRES_FAULTS,
  printed,
  PROCESS_FAULTS,
  rollingRestart,
  survive,
  type Fault,
  type SurvivalReport,
} from '@form-webhooks/survive';

/*
 * The short form of `npm run survive`: the same product, load and judge, each fault once.
 */

const SEED = 7;
const ALL = [...PROCESS_FAULTS, ...POSTGRES_FAULTS, ...BROKER_FAULTS];

let folder: TemporaryFolder;

beforeEach(() => {
  folder = temporaryFolder('form-webhooks-survival-');
});

afterEach(() => folder.remove());

const faultsNamed = (...kinds: readonly string[]): Fault[] =>
  kinds.map((kind) => {
    const found = ALL.find((fault) => fault.kind === kind);
    if (!found) throw new Error(`no fault is called ${kind}`);
    return found;
  });

async function struckBy(faults: readonly Fault[]): Promise<SurvivalReport> {
  const report = await survive({
    settings: { seed: SEED, perSecond: 20, forms: 6, ingests: 2, dispatchers: 1, cluster: false },
    folder: folder.path,
    spans: { short: [500, 1_000], long: [1_000, 2_000] },
    quietWithinMs: 120_000,
    strike: (run) => run.strikeAll(faults),
    say: () => undefined,
  });
  console.log(printed(report));
  return report;
}

describe('under load', { timeout: 400_000 }, () => {
  it('every accepted event reaches every endpoint, whatever is killed, stopped or restarted', async () => {
    const report = await struckBy(
      faultsNamed(
        'kill -9 dispatcher',
        'kill -9 config',
        'kill -9 ingest',
        'SIGTERM dispatcher',
        'SIGTERM config',
        'SIGTERM ingest',
        'PostgreSQL restart immediate',
        'broker restart',
        'broker kill -9',
      ),
    );
    expect(report.faults).toEqual([]);
    expect(report.losses).toBe(0);
    expect(report.events).toBeGreaterThan(100);
  });

  it('a rolling restart of all services loses nothing and repeats nothing', async () => {
    const report = await struckBy([rollingRestart]);
    expect(report.faults).toEqual([]);
    expect(report.duplicates).toBe(0);
    expect(report.unrecorded).toBe(0);
  });
});

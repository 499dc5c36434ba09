import { describe, expect, it } from 'vitest';
import { readFigures, tables, type MeasuredFigures } from './figures.js';

const cost = { perEvent: 1, perDelivery: 1 };
const check = { cores: 2, measured: 400, reckoned: 410, bound: 'the machine' };
const FIGURES: MeasuredFigures = {
  costs: { ingest: cost, dispatcher: cost, config: cost, rabbitmq: cost, postgres: cost },
  ...{ logBytesPerDelivery: 2_000, walBytesPerDelivery: 4_000, brokerBytesPerEvent: 1_000 },
  ...{ queueMessagesPerSecond: 10_000, measuredOn: 'a machine', logRowsPerSecond: 5_000 },
  logRowCpu: { writer: 0.1, postgres: 0.1 },
  memoryPerThousandForms: { dispatcher: 1, config: 1, ingest: 1 },
  ...{ brokerMemoryPerEvent: 1_000, brokerMemoryPerRetryQueue: 1_000 },
  checks: [
    { ...check, dispatchers: 1 },
    { ...check, dispatchers: 2 },
  ],
};

describe('the figures of sizing', () => {
  it('say what to run if nothing was measured yet', () => {
    expect(() => readFigures('/nowhere/sizing.json')).toThrow('npm run bench:sizing -- --write');
  });

  it('hold the model only against runs that it was not made from', () => {
    expect(tables(FIGURES)).toContain('| 1 | 2.0 | 400 | – | – |');
    expect(tables(FIGURES)).toContain('| 2 | 2.0 | 400 | 410 | the machine |');
  });

  it('call the rate of one queue a lower bound: the client that measures it bounds it as well', () => {
    expect(tables(FIGURES)).toContain('| messages a second through one quorum queue, at least | 10000 |');
  });
});

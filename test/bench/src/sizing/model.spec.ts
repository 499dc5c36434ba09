import { describe, expect, it } from 'vitest';
import { costFrom, costOf, needsOf, throughputOf, tightest, type Demand, type Figures } from './model.js';

const cost = { perEvent: 1, perDelivery: 1 };
const FIGURES: Figures = {
  costs: { ingest: { perEvent: 0.6, perDelivery: 0 }, dispatcher: cost, config: cost, rabbitmq: cost, postgres: cost },
  logBytesPerDelivery: 2_000,
  walBytesPerDelivery: 4_000,
  brokerBytesPerEvent: 1_000,
  queueMessagesPerSecond: 10_000,
};
const DEMAND: Demand = {
  ...{ deliveriesPerSecond: 1_000, endpointsPerEvent: 1, retriesPerDelivery: 0, answerSeconds: 0.1 },
  ...{ retentionDays: 30, brokerNodes: 1 },
};
const amountOf = (what: string, demand: Partial<Demand> = {}, figures = FIGURES): number =>
  needsOf({ ...DEMAND, ...demand }, figures).find((need) => need.what === what)!.amount;

describe('the sizing model', () => {
  it('splits what an event costs into its own part and that of each endpoint', () => {
    expect(costFrom({ endpoints: 1, cpu: 3 }, { endpoints: 3, cpu: 7 })).toEqual({ perEvent: 1, perDelivery: 2 });
    expect(costFrom({ endpoints: 1, cpu: 3 }, { endpoints: 3, cpu: 2 })).toEqual({ perEvent: 3, perDelivery: 0 });
    expect(costOf({ perEvent: 1, perDelivery: 2 }, 4)).toBe(2.25);
  });

  it('needs processes for the CPU that a service takes, two at least', () => {
    expect(amountOf('ingest')).toBe(2);
    expect(amountOf('dispatcher')).toBe(4);
    expect(amountOf('dispatcher', { deliveriesPerSecond: 10_000 })).toBe(34);
  });

  it('needs more dispatchers where receivers are slow, whatever the CPU', () => {
    expect(amountOf('dispatcher', { answerSeconds: 2 })).toBe(8);
  });

  it('counts a retry as a message of its own, which ingest does not see', () => {
    expect(amountOf('PostgreSQL', { retriesPerDelivery: 1 })).toBeCloseTo(2 * amountOf('PostgreSQL'));
    expect(amountOf('ingest', { retriesPerDelivery: 9 })).toBe(amountOf('ingest'));
  });

  it('needs disk for the days that the log keeps', () => {
    expect(amountOf('PostgreSQL, a day of the log')).toBeCloseTo(0.1728);
    expect(amountOf('PostgreSQL, in all')).toBeCloseTo(5.184);
    expect(amountOf('PostgreSQL, write-ahead log')).toBeCloseTo(4);
  });

  it('names first what takes most of what there can be', () => {
    const [first, ...rest] = tightest(needsOf({ ...DEMAND, deliveriesPerSecond: 10_000 }, FIGURES));
    expect(first!.what).toBe('PostgreSQL, in all');
    expect(first!.share).toBeGreaterThan(1);
    expect(rest.every(({ share }) => share <= first!.share)).toBe(true);
  });

  it('bounds a machine by its cores, or by a service whose processes are all busy', () => {
    const processes = { ingest: 1, dispatcher: 1, config: 1 };
    expect(throughputOf(FIGURES, { cores: 2, endpoints: 1, processes })).toMatchObject({ bound: 'the machine' });
    const many = { cores: 64, endpoints: 1, processes };
    expect(throughputOf(FIGURES, many)).toEqual({ perSecond: 500, bound: 'dispatcher' });
    expect(throughputOf(FIGURES, { ...many, processes: { ...processes, dispatcher: 2 } })).toEqual({
      ...{ perSecond: 500, bound: 'config' },
    });
    expect(throughputOf(FIGURES, { cores: 2, endpoints: 1, processes }, 8.6).perSecond).toBeCloseTo(2_000 / 17.2);
  });
});

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AlertStage, RULES } from './alert-stage.js';
import { ENDPOINT_FAILS, FAULTS_OF_CALLERS } from './faults-of-callers.js';
import { FAULTS_OF_CONFIG } from './faults-of-config.js';
import { FAULTS_OF_DISPATCHERS } from './faults-of-dispatchers.js';
import { FAULTS_OF_THE_BROKER } from './faults-of-the-broker.js';
import { FAULTS_OF_THE_LOG } from './faults-of-the-log.js';
import { WORKS, type Fault } from './faults.js';
import { alertNames, shortenedRules, type Changes } from './shortened-rules.js';

/*
 * The alerts against services that really go wrong. Each `for` is 2 s here (12 s of queues) and each range a minute;
 * besides, these thresholds, which nobody waits for. Whether alerts hold back as long as they should is told by
 * rules.spec.ts.
 */
const CHANGES: Changes = {
  ConfigSilent: ['> 60', '> 5'],
  OutboxStuck: ['> 60', '> 5'],
  // The log is measured every half minute.
  FiguresOld: ['> 300', '> 40'],
};

/** What no fault of a minute fires, and why. */
const NOT_PROVOKED: Readonly<Record<string, string>> = {
  VersionsMixed: 'needs a second version',
  ApiSlow: 'needs a database that answers, and does so slowly for minutes',
  AttemptsUnsettled: 'needs a bug',
  DaysHeld: 'needs a day of the log that is past its retention',
  DaysRefused: 'needs a clock that is an hour off while a day is due to go',
  FormsMissing: 'needs a database that has forgotten a form',
  EventsWithoutForm: 'needs many events that have waited their minute for a form',
  ReconcilerStuck: 'needs an hour',
};

/** Each on its own form, queue or key: none is in the way of another. */
const SIDE_BY_SIDE = [...FAULTS_OF_CALLERS, ...FAULTS_OF_THE_LOG];
/** Takes longer than a fault of a dispatcher, and has nothing to do with it. */
const LOG_NOT_MEASURED = 'FiguresOld';
const WAIT = { timeout: 240_000 };
/** Several times what an event takes to its receiver, and a service for its figures, ms. */
const STOOD_STILL_MS = 900;

let stage: AlertStage;
beforeAll(async () => {
  stage = await AlertStage.open(shortenedRules(RULES, CHANGES));
  await stage.register(WORKS, stage.receiver.url('/works'));
});
afterAll(() => stage?.close());

const titleOf = ({ what, alerts }: Fault): string => `${what}: ${alerts.join(', ')}`;
const fire = ({ alerts, make }: Fault): Promise<void> =>
  make(stage, (meanwhile, names = alerts) => stage.watch.untilFired(names, meanwhile));

/** Has ten events delivered, one after the other, or some would find no slot. @returns the longest that one took, ms */
async function deliverTen(): Promise<number> {
  const received = (): number => stage.receiver.received('/works').length;
  const before = received();
  let slowestMs = 0;
  for (let n = 1; n <= 10; n++) {
    const began = performance.now();
    await vi.waitFor(async () => expect(await stage.post(WORKS)).toBe(202), { timeout: 60_000 });
    await vi.waitFor(() => expect(received()).toBeGreaterThanOrEqual(before + n), { timeout: 60_000 });
    slowestMs = Math.max(slowestMs, performance.now() - began);
  }
  return slowestMs;
}

it('none fires while everything works', WAIT, async () => {
  for (;;) {
    const slowestMs = await deliverTen();
    await stage.watch.untilScraped(10);
    const fired = await stage.watch.fired();
    const stoodStill = Math.max(slowestMs, await stage.watch.slowestScrapeMs()) > STOOD_STILL_MS;
    if (fired.length === 0 || !stoodStill) return expect(fired).toEqual([]);
    // As far as alerts can tell a machine that stood still is a service that was down: once more.
    stage.watch = await stage.watch.anew();
  }
});

describe('while all services run, alerts fire when', () => {
  it(titleOf(ENDPOINT_FAILS), WAIT, () => fire(ENDPOINT_FAILS));

  for (const fault of SIDE_BY_SIDE) it.concurrent(titleOf(fault), WAIT, () => fire(fault));
});

describe('alerts fire when', () => {
  for (const fault of FAULTS_OF_CONFIG) it(titleOf(fault), WAIT, () => fire(fault));
});

describe('while nobody can measure the log, alerts fire when', () => {
  let release: () => Promise<void>;
  beforeAll(async () => void (release = await stage.lockTables('reconciliations')));
  afterAll(() => release());

  for (const fault of FAULTS_OF_DISPATCHERS) it(titleOf(fault), WAIT, () => fire(fault));

  it(`its figures are old: ${LOG_NOT_MEASURED}`, WAIT, () => stage.watch.untilFired([LOG_NOT_MEASURED]));
});

describe('at last, alerts fire when', () => {
  for (const fault of FAULTS_OF_THE_BROKER) it(titleOf(fault), WAIT, () => fire(fault));
});

it('each alert is fired by one fault, or named with a reason', () => {
  const faults = [
    ENDPOINT_FAILS,
    ...SIDE_BY_SIDE,
    ...FAULTS_OF_CONFIG,
    ...FAULTS_OF_DISPATCHERS,
    ...FAULTS_OF_THE_BROKER,
  ];
  const named = [...faults.flatMap(({ alerts }) => alerts), LOG_NOT_MEASURED, ...Object.keys(NOT_PROVOKED)];
  expect(named.toSorted()).toEqual(alertNames(RULES).toSorted());
});

import { chooseFreePort } from '@form-webhooks/local';
import { declareQueue, endpointRetryQueue, QUEUES, sharedRetryQueue } from '@form-webhooks/broker';
import {
  DEFERRAL_RUNGS_MS,
  deriveDeliveryId,
  parseRetrySchedule,
  randomEventId,
  sharedRungs,
  spreadDelay,
} from '@form-webhooks/domain';
import { isFence } from '@form-webhooks/messages';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import { Probe } from '../support/broker.js';
import { deliveryIdOf, postEvents, postEventsInParts } from '../support/form-traffic.js';
import { sumOfSamples } from '../support/metrics/samples.js';
import { answer, hang, Receiver, type Behaviour } from '../support/receiver.js';
import { Stack, type ServiceProcess } from '../support/stack.js';
import { StackLog } from '../support/stack-log.js';

/*
 * The reconciler must tell what is lost from what is merely slow. Here nothing is ever lost, so whatever it publishes
 * is a copy of what a queue or a dispatcher still holds.
 */

const WAIT = { timeout: 120_000, interval: 200 };
/** A fifth of it is how long a dispatcher or the log may stand still with something in hand. */
const GRACE_MS = 12_000;
const RETRY_SCHEDULE = Array(32).fill('5s').join(',');
const MARGIN_MS = 60_000;

let stack: Stack;
let receiver: Receiver;
let log: StackLog;

// Minutes, on a machine that does much else; a fifth of that by itself.
vi.setConfig({ testTimeout: 300_000 });

beforeAll(async () => {
  receiver = await Receiver.start();
  stack = await Stack.start({
    env: {
      RETRY_SCHEDULE,
      RECONCILE_GRACE: `${GRACE_MS}ms`,
      RECONCILE_INTERVAL: '200ms',
      RETRY_QUEUE_MARGIN: `${MARGIN_MS}ms`,
      // The smaller the better: what is in flight has to be recorded within a fifth of the grace.
      ATTEMPT_TIMEOUT: '500ms',
      DISPATCHER_CONCURRENCY: '100',
      ENDPOINT_MAX_IN_FLIGHT: '40',
    },
  });
  const { env } = stack.service('config');
  await stack.add('config', { ...env, HTTP_PORT: String(await chooseFreePort()) });
});

afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
});

beforeEach(async () => {
  log = await StackLog.open(stack);
});

const dispatchers = (): ServiceProcess[] => stack.processes.filter(({ name }) => name === 'dispatcher');

/** How often deliveries were put off so far. */
const deferrals = (): Promise<number> => sumOfSamples(dispatchers(), 'webhook_deferrals_total', { why: 'no_slot' });

/** The form's endpoint, whose behaviour can be changed later, and what it answered with 200. */
async function endpointOf(formId: string, first: Behaviour) {
  const arrived: string[] = [];
  let behaviour = first;
  const url = receiver.url(`/${formId}`, (response, request, nth) => behaviour(response, request, nth));
  await stack.registerForm(formId);
  const { id } = await stack.createEndpoint(formId, url);
  const recover = (): void => {
    behaviour = (response, request) => {
      arrived.push(deliveryIdOf(request));
      response.writeHead(200).end();
    };
  };
  return { id, arrived, recover };
}

/** Each delivery has arrived, each POST is a try of its own in the log, and the reconciler published none of them. */
async function expectNoCopies(formId: string, ids: readonly string[], arrived: readonly string[]): Promise<void> {
  expect((await log.reconciled()).republished).toBe(0);
  expect(new Set(arrived)).toEqual(new Set(ids));
  expect(await log.repeatedTries()).toEqual([]);
  const logged = await log.attemptsOf(formId);
  const posts = new Map<string, number>();
  for (const id of receiver.received(`/${formId}`).map(deliveryIdOf)) posts.set(id, (posts.get(id) ?? 0) + 1);
  expect([...posts].filter(([id, count]) => count > (logged.get(id) ?? 0))).toEqual([]);
}

/**
 * Takes every message out of all queues that the endpoint's deliveries can be in, while no dispatcher runs.
 * @param count so many are waited for at least: a queue that is empty may have given out what has not come here yet
 */
async function deliveriesInBroker(
  endpointId: string,
  count: number,
): Promise<{ ids: string[]; putBack: () => Promise<void> }> {
  const schedule = parseRetrySchedule(RETRY_SCHEDULE);
  // All places of the rung: each delivery has one of a few.
  const retryRungs = Array.from({ length: 500 }, () => {
    const deliveryId = deriveDeliveryId(randomEventId(), endpointId);
    return spreadDelay(schedule[0]!, { deliveryId, endpointId, tryIndex: 0 });
  });
  const probe = await Probe.open(brokerUrl());
  const own = [...new Set([...DEFERRAL_RUNGS_MS, ...retryRungs])].map((ms) =>
    endpointRetryQueue(endpointId, ms, MARGIN_MS),
  );
  const shared = sharedRungs(schedule).map((ms) => sharedRetryQueue(ms));
  for (const queue of [...own, ...shared]) await declareQueue(probe.channel, queue);
  const names = [...[...own, ...shared].map(({ name }) => name), QUEUES.due, QUEUES.deliveries];
  const ids: string[] = [];
  for (const name of names) {
    await probe.channel.consume(name, (message) => {
      const headers = message?.properties.headers ?? {};
      // A dispatcher that stops leaves marks behind in `dispatcher.due`.
      const isDelivery = !isFence(headers) && headers['write_mark'] === undefined;
      if (message && isDelivery) ids.push(String(headers['delivery_id']));
    });
  }
  // What falls due meanwhile moves from one of these queues into another; nothing that was taken moves any more.
  const depths = async () => Promise.all(names.map((name) => probe.depth(name)));
  await vi.waitFor(async () => {
    expect(new Set(await depths())).toEqual(new Set([0]));
    expect(ids.length).toBeGreaterThanOrEqual(count);
  }, WAIT);
  return { ids: ids.sort(), putBack: () => probe.close() };
}

/** The form's deliveries, once as many as expected are as the condition says. */
const deliveriesWhere = (formId: string, condition: string, count: number): Promise<string[]> =>
  vi.waitFor(async () => {
    const ids = await log.idsWhere(formId, condition);
    expect(ids).toHaveLength(count);
    return ids;
  }, WAIT);

const olderThan = (column: string, ms: number): string => `${column} < now() - interval '${ms} milliseconds'`;

describe('the reconciler publishes nothing again', () => {
  it('of an endpoint that hangs, while its deliveries are deferred over a thousand times', async () => {
    const [formId, count] = ['f_hangs', 400];
    const { id, arrived, recover } = await endpointOf(formId, hang);
    await postEvents(stack, formId, count);
    const posted = await deliveriesWhere(formId, olderThan('accepted_at', GRACE_MS), count);
    await vi.waitFor(async () => expect(await deferrals()).toBeGreaterThan(1_000), WAIT);
    await log.roundsFromNow(1);
    const [dispatcher] = dispatchers();
    await dispatcher!.stop();
    expect((await log.reconciled()).republished).toBe(0);
    const inBroker = await deliveriesInBroker(id, count);
    expect(inBroker.ids).toEqual(posted);
    await inBroker.putBack();

    recover();
    await dispatcher!.start();
    await deliveriesWhere(formId, `state = 'delivered'`, count);
    await expectNoCopies(formId, posted, arrived);
  });

  it('of a backlog that has long been due, under steady traffic', async () => {
    const [formId, backlog] = ['f_backlog', 200];
    const { arrived, recover } = await endpointOf(formId, answer(408));
    await postEventsInParts(stack, formId, backlog, (events) => {
      expect(new Set(receiver.received(`/${formId}`).map(deliveryIdOf)).size).toBe(events);
    });
    await deliveriesWhere(formId, `state = 'retrying'`, backlog);
    const [dispatcher] = dispatchers();
    await dispatcher!.stop();
    recover();
    let posted = backlog;
    await vi.waitFor(async () => {
      await postEvents(stack, formId, 2, posted);
      posted += 2;
      expect(await log.idsWhere(formId, olderThan('next_attempt_at', 2 * GRACE_MS))).toHaveLength(backlog);
    }, WAIT);
    await Promise.all([dispatcher!.start(), stack.add('dispatcher', dispatcher!.env)]);
    await vi.waitFor(async () => {
      await postEvents(stack, formId, 2, posted);
      posted += 2;
      expect((await log.idsWhere(formId, `state = 'delivered'`)).length).toBeGreaterThan(backlog);
    }, WAIT);
    const ids = await deliveriesWhere(formId, `state = 'delivered'`, posted);
    await log.roundsFromNow(1);
    await expectNoCopies(formId, ids, arrived);
  });
});

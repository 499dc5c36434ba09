import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { chooseFreePort, RabbitMqServer, temporaryFolder } from '@form-webhooks/local';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deliveryIdOf, postEventsInParts } from '../support/form-traffic.js';
import { Receiver, type Behaviour } from '../support/receiver.js';
import { Stack } from '../support/stack.js';
import { StackLog } from '../support/stack-log.js';

/** The longest delay that the retries can have reached on a slow machine, the grace after it, and all the attempts. */
const WAIT = { timeout: 150_000, interval: 100 };
const FORM = 'f_loss';
/** As many as a form may have. */
const ENDPOINTS = 20;
const EVENTS = 15;
const DELIVERIES = ENDPOINTS * EVENTS;

/** So long that all deliveries wait at the same time, on a slow machine with the second try or the third. */
const RETRY_SCHEDULE = '12s,24s,48s';

const folder = temporaryFolder('form-webhooks-loss-');
let rabbitmq: RabbitMqServer;
let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  rabbitmq = new RabbitMqServer({ folder: join(folder.path, 'rabbitmq') });
  await rabbitmq.start();
  receiver = await Receiver.start();
  stack = await Stack.start({
    rabbitmqUrl: rabbitmq.url,
    env: {
      RETRY_SCHEDULE,
      RECONCILE_GRACE: '15s',
      RECONCILE_INTERVAL: '500ms',
      ATTEMPT_TIMEOUT: '2500ms',
      // As many handshakes as the receiver, in this process, answers well within the time of an attempt.
      DISPATCHER_CONCURRENCY: '40',
      ENDPOINT_MAX_IN_FLIGHT: '10',
    },
  });
  const { env } = stack.service('config');
  await stack.add('config', { ...env, HTTP_PORT: String(await chooseFreePort()) });
});

afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
  await rabbitmq?.discard();
  folder.remove();
});

/** A broker of the same name and address that knows of nothing. */
async function loseTheDisk(): Promise<void> {
  await rabbitmq.kill();
  rmSync(rabbitmq.dataDir, { recursive: true });
  await rabbitmq.start();
}

describe('a broker that loses its disk while recorded retries wait in it', () => {
  it(
    'costs no delivery: two replicas of config bring each back once, and no service is restarted',
    { timeout: 400_000 },
    async () => {
      let recovered = false;
      const accepted: string[] = [];
      const tried = new Set<string>();
      const flaky: Behaviour = (response, request) => {
        tried.add(deliveryIdOf(request));
        if (recovered) accepted.push(deliveryIdOf(request));
        // Not 503: an endpoint that fails is paced, and then not all of its deliveries wait at the same time.
        response.writeHead(recovered ? 200 : 408).end();
      };
      await stack.registerForm(FORM);
      for (let n = 0; n < ENDPOINTS; n++) await stack.createEndpoint(FORM, receiver.url(`/loss-${n}`, flaky));
      await postEventsInParts(stack, FORM, EVENTS, (events) => expect(tried.size).toBe(events * ENDPOINTS));
      const log = await StackLog.open(stack);
      const waiting = await vi.waitFor(async () => {
        const ids = await log.idsWhere(FORM, `state = 'retrying' AND next_attempt_at > now() + interval '1 second'`);
        expect(ids).toHaveLength(DELIVERIES);
        return ids;
      }, WAIT);
      const pids = stack.processes.map(({ pid }) => pid);

      await loseTheDisk();
      recovered = true;

      await vi.waitFor(async () => expect(await log.idsWhere(FORM, `state = 'delivered'`)).toEqual(waiting), WAIT);
      await log.roundsFromNow(1);
      expect([...new Set(accepted)].toSorted()).toEqual(waiting);
      expect((await log.reconciled()).republished).toBe(DELIVERIES);
      // By the tries: an attempt that ran out of its time, since this process stood still, is followed by the next one.
      expect(await log.repeatedTries(), 'each once').toEqual([]);
      expect(stack.processes.map(({ pid }) => pid)).toEqual(pids);
    },
  );
});

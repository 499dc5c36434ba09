import { BrokerLink, type LinkLimits, type Session } from '@form-webhooks/broker';
import { expect, it, onTestFinished, vi } from 'vitest';
import { losingMethods, type AmqpMethod } from '../support/network/amqp-filter.js';
import { testLogger } from '../support/broker.js';
import { brokerUrl } from '../support/broker-url.js';

/* A broker lives, its heartbeats come, and one question is never answered: one whose queue has no leader does that. */

const LIMITS: LinkLimits = { closeMs: 500, stepMs: 1_000 };
const WAIT = { timeout: 20_000, interval: 20 };
const CONNECTION_CLOSE: AmqpMethod = { classId: 10, methodId: 50 };
const QUEUE_DECLARE: AmqpMethod = { classId: 50, methodId: 10 };

/** A link to a broker that loses what the test says, with the sessions that it had so far. */
async function stage(isLost: (method: AmqpMethod) => boolean) {
  const link = new BrokerLink(await losingMethods(brokerUrl(), isLost), 'test', testLogger, LIMITS);
  onTestFinished(() => link.close());
  const sessions: Session[] = [];
  link.addStep(async (session) => {
    sessions.push(session);
    const channel = await session.openExpendableChannel();
    await channel.assertQueue('', { exclusive: true });
  });
  await link.start();
  return { link, sessions };
}

const isSame = (one: AmqpMethod, other: AmqpMethod): boolean =>
  one.classId === other.classId && one.methodId === other.methodId;

it('a session whose end is not answered is cut, and the next one begins', async () => {
  const { link, sessions } = await stage((method) => isSame(method, CONNECTION_CLOSE));
  await vi.waitFor(() => expect(link.ready).toBe(true), WAIT);
  sessions[0]!.drop('a queue does not confirm');
  expect(link.ready).toBe(false);
  await vi.waitFor(() => expect([link.ready, sessions.length]).toEqual([true, 2]), WAIT);
  expect(link.losses).toBe(1);
});

it('a step that is not answered is given up with its connection, whose end is not answered either', async () => {
  let declares = 0;
  const { link, sessions } = await stage(
    (method) => isSame(method, CONNECTION_CLOSE) || (isSame(method, QUEUE_DECLARE) && declares++ === 0),
  );
  await vi.waitFor(() => expect([link.ready, sessions.length]).toEqual([true, 2]), WAIT);
});

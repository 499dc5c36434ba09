import { BrokerLink, type BrokerLogger, type LinkLimits, type Session } from '@form-webhooks/broker';
import { expect, it, onTestFinished, vi } from 'vitest';
import { losingMethods, type AmqpMethod } from '../support/network/amqp-filter.js';
import { testLogger } from '../support/broker.js';
import { brokerUrl } from '../support/broker-url.js';

/* A broker lives, its heartbeats come, and one question is never answered: one whose queue has no leader does that. */

const LIMITS: LinkLimits = { closeMs: 500, stepMs: 1_000 };
/** Where no step is to be given up, however slow the machine is. */
const PATIENT: LinkLimits = { ...LIMITS, stepMs: 30_000 };
const SILENT: BrokerLogger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const WAIT = { timeout: 20_000, interval: 20 };
const CONNECTION_CLOSE: AmqpMethod = { classId: 10, methodId: 50 };
const QUEUE_DECLARE: AmqpMethod = { classId: 50, methodId: 10 };

/** A link to a broker that loses what the test says, with the sessions that it had so far. */
async function stage(limits: LinkLimits, isLost: (method: AmqpMethod) => boolean) {
  const link = new BrokerLink((await losingMethods(brokerUrl(), isLost)).url, 'test', testLogger, limits);
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

it('a session whose connection is lost is not taken for one whose end is not answered', async () => {
  const warn = vi.fn<BrokerLogger['warn']>();
  const { url, cut } = await losingMethods(brokerUrl(), () => false);
  const link = new BrokerLink(url, 'test', { ...SILENT, warn }, PATIENT);
  onTestFinished(() => link.close());
  let channelClosed = false;
  link.addStep(async (session) => {
    (await session.openChannel()).on('close', () => (channelClosed = true));
  });
  await link.start();
  await vi.waitFor(() => expect(link.ready).toBe(true), WAIT);
  cut();
  await vi.waitFor(() => expect([channelClosed, link.ready]).toEqual([true, true]), WAIT);
  await new Promise((resolve) => setTimeout(resolve, 2 * PATIENT.closeMs));
  expect(warn.mock.calls.map(([, text]) => text).filter((text) => text.includes('did not answer'))).toEqual([]);
});

it('a session whose end is not answered is cut, and the next one begins', async () => {
  const { link, sessions } = await stage(PATIENT, (method) => isSame(method, CONNECTION_CLOSE));
  await vi.waitFor(() => expect(link.ready).toBe(true), WAIT);
  sessions[0]!.drop('a queue does not confirm');
  expect(link.ready).toBe(false);
  await vi.waitFor(() => expect([link.ready, sessions.length]).toEqual([true, 2]), WAIT);
  expect(link.losses).toBe(1);
});

it('a step that is not answered is given up with its connection, and may take longer the next time', async () => {
  let declares = 0;
  const began = performance.now();
  const { link, sessions } = await stage(
    LIMITS,
    (method) => isSame(method, CONNECTION_CLOSE) || (isSame(method, QUEUE_DECLARE) && declares++ < 2),
  );
  await vi.waitFor(() => expect(link.ready).toBe(true), WAIT);
  // And more of them on a machine that keeps even an answer back for so long.
  expect(sessions.length).toBeGreaterThanOrEqual(3);
  expect(performance.now() - began, 'the second time it has twice as long').toBeGreaterThan(3 * LIMITS.stepMs);
});

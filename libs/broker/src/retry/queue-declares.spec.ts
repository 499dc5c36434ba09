import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import type { Session } from '../connection/broker-link.js';
import { endpointRetryQueue, sharedRetryQueue } from '../topology.js';
import { QueueDeclares } from './queue-declares.js';

/** A session whose channels answer to declares as the test says. */
function stage(answer: (queue: string) => Promise<void>) {
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const openExpendableChannel = vi.fn(async () =>
    Object.assign(new EventEmitter(), { assertQueue: answer, close: async () => undefined }),
  );
  const session = { open: true, openExpendableChannel };
  const declares = new QueueDeclares(logger);
  declares.beginSession(session as unknown as Session);
  return { declares, session, logger, openExpendableChannel };
}

const ofEndpoint = (n: number) => endpointRetryQueue(`we_${n}`, 10_000, 600_000);

it('a declare apart is not held up by one that is not answered', async () => {
  const { declares, openExpendableChannel } = stage((queue) =>
    queue === 'retry.shared.1' ? new Promise(() => undefined) : Promise.resolve(),
  );
  void declares.apart(sharedRetryQueue(1));
  expect(await declares.apart(sharedRetryQueue(2))).toBe(true);
  expect(openExpendableChannel).toHaveBeenCalledTimes(2);
});

it('of thousands of declares that fail alike one is told', async () => {
  const { declares, logger } = stage(() => Promise.reject(new Error('the limit of queues is reached')));
  const declared = await Promise.all(Array.from({ length: 1_000 }, (_, n) => declares.inTurn(ofEndpoint(n))));
  expect(declared.every((stands) => !stands)).toBe(true);
  expect(logger.warn).toHaveBeenCalledTimes(1);
});

it('while the broker is away nothing is declared, and nothing told: whoever publishes is told', async () => {
  const { declares, session, logger, openExpendableChannel } = stage(() => Promise.resolve());
  session.open = false;
  expect([await declares.inTurn(ofEndpoint(1)), await declares.apart(sharedRetryQueue(1))]).toEqual([false, false]);
  expect([openExpendableChannel.mock.calls.length, logger.warn.mock.calls.length]).toEqual([0, 0]);
});

it('what was declared in a session that has ended meanwhile counts as not declared', async () => {
  const answers: (() => void)[] = [];
  const { declares, session } = stage(() => new Promise((resolve) => answers.push(resolve)));
  const declared = declares.apart(sharedRetryQueue(1));
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  declares.beginSession({ ...session } as unknown as Session);
  answers[0]!();
  expect(await declared).toBe(false);
});

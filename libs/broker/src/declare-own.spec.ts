import type { Channel } from 'amqplib';
import { afterEach, expect, it, vi } from 'vitest';
import type { Session } from './connection/broker-link.js';
import { declareOwn } from './declare-own.js';
import { QUEUES } from './queue-names.js';

afterEach(() => void vi.useRealTimers());

it('a queue whose node is away keeps nothing else waiting, though the broker says so after a minute only', async () => {
  vi.useFakeTimers();
  const declared = new Set<string>();
  const channel = {
    checkExchange: () => Promise.resolve(),
    assertExchange: () => Promise.resolve(),
    bindQueue: () => Promise.resolve(),
    close: () => Promise.resolve(),
    assertQueue: (queue: string) => {
      if (queue === QUEUES.due) return new Promise(() => undefined);
      return Promise.resolve(declared.add(queue));
    },
  } as unknown as Channel;
  const session = { open: true, openExpendableChannel: () => Promise.resolve(channel) } as unknown as Session;
  const warn = vi.fn();
  const logger = { debug: vi.fn(), info: vi.fn(), warn, error: vi.fn() };
  const done = vi.fn();
  void declareOwn({ owner: 'dispatcher', logger } as never)(session).then(done);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(done).toHaveBeenCalledOnce();
  expect([...declared]).toEqual(expect.arrayContaining([QUEUES.events, QUEUES.deliveries, QUEUES.largeDue]));
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ queue: QUEUES.due }), expect.any(String));
});

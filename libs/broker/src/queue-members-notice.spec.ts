import { expect, it, vi } from 'vitest';
import type { Session } from './connection/broker-link.js';
import { noticeQueueMembers } from './queue-members-notice.js';

const COMMAND =
  'rabbitmqctl -q list_queues --formatter json name type members | ' +
  'node apps/config/dist/ops/ops.js doctor --members - --nodes 3';

/** A broker on which these queues stand, and what is logged. */
function stage(standing: readonly string[], nodes = 3) {
  const lines: unknown[] = [];
  const note = (level: string) => (facts: object, message: string) => void lines.push({ level, message, ...facts });
  const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const checkQueue = vi.fn((queue: string) =>
    standing.includes(queue) ? Promise.resolve() : Promise.reject(Object.assign(new Error('NOT_FOUND'), { code: 404 })),
  );
  const channel = { checkQueue, close: () => Promise.resolve() };
  const session = { open: true, openExpendableChannel: () => Promise.resolve(channel) } as unknown as Session;
  return { lines, session, checkQueue, step: noticeQueueMembers(['work', 'work.parked'], nodes, logger) };
}

it('warns a service that makes queues in a cluster, with the command that checks their members', async () => {
  const { lines, step, session } = stage(['work.parked']);
  await step(session);
  expect(lines).toMatchObject([{ level: 'warn', nodes: 3, queues: 1, check: COMMAND }]);
});

it('only mentions the command where all queues stand', async () => {
  const { lines, step, session } = stage(['work', 'work.parked']);
  await step(session);
  expect(lines).toMatchObject([{ level: 'info', nodes: 3, check: COMMAND }]);
});

it('says it once, whichever connection is first, and before either declares', async () => {
  const { lines, step, session, checkQueue } = stage(['work', 'work.parked']);
  await Promise.all([step(session), step(session)]);
  await step(session);
  expect(lines).toHaveLength(1);
  expect(checkQueue).toHaveBeenCalledTimes(2);
});

it('says nothing with one node', async () => {
  const { lines, step, session, checkQueue } = stage([], 1);
  await step(session);
  expect(lines).toEqual([]);
  expect(checkQueue).not.toHaveBeenCalled();
});

it('fails with the connection, and looks again on the next one', async () => {
  const { lines, step, session, checkQueue } = stage(['work', 'work.parked']);
  checkQueue.mockRejectedValueOnce(new Error('the connection is lost'));
  await expect(step(session)).rejects.toThrow('the connection is lost');
  await step(session);
  expect(lines).toHaveLength(1);
});

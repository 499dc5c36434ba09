import { QUEUES } from '@form-webhooks/broker';
import { connect, type Channel, type ChannelModel } from 'amqplib';
import { expect, vi } from 'vitest';
import { dieOfFirst } from '../support/broker.js';
import type { AlertStage } from './alert-stage.js';
import { times, WORKS, type Fault } from './faults.js';

const WAIT = { timeout: 60_000, interval: 100 };
const HOUR_MS = 3_600_000;
/** Longer than events may wait, and attempts be late. */
const FROZEN_MS = 12_000;
/** More than a work queue should hold. */
const MANY = 6_000;

/** A dispatcher that freezes, ends, or has a wrong clock. */
export const FAULTS_OF_DISPATCHERS: readonly Fault[] = [
  {
    what: 'a dispatcher stands still, and goes on',
    alerts: ['EventsWait', 'AttemptsLate'],
    make: async (stage, untilFired) => {
      const { pid } = stage.stack.service('dispatcher');
      process.kill(pid!, 'SIGSTOP');
      try {
        const began = performance.now();
        await times(10, () => stage.post(WORKS));
        await vi.waitFor(() => expect(performance.now() - began).toBeGreaterThan(FROZEN_MS), WAIT);
      } finally {
        process.kill(pid!, 'SIGCONT');
      }
      await untilFired();
    },
  },
  {
    what: 'the only dispatcher is killed, and work heaps up',
    alerts: ['ServiceDown', 'ServiceMissing', 'QueueUnconsumed', 'QueueGrows', 'MessagesCrash'],
    make: async (stage, untilFired) => {
      const dispatcher = stage.stack.service('dispatcher');
      await dispatcher.stop('SIGKILL');
      await stage.post(WORKS);
      await atQueues(stage, async (channel, connection) => {
        await dieOfFirst(connection, QUEUES.events);
        for (let n = 0; n < MANY; n++)
          channel.sendToQueue(QUEUES.deliveries, Buffer.from('junk'), { persistent: true });
      });
      await untilFired(undefined, ['ServiceDown', 'ServiceMissing', 'QueueUnconsumed', 'QueueGrows']);
      await atQueues(stage, (channel) => channel.purgeQueue(QUEUES.deliveries));
      await dispatcher.start();
      await untilFired();
    },
  },
  {
    what: "the dispatcher's clock is an hour ahead",
    alerts: ['ClocksDiffer'],
    make: async (stage, untilFired) => {
      stage.stepDispatchersClock(HOUR_MS);
      await untilFired(() => stage.post(WORKS));
      stage.stepDispatchersClock(0);
    },
  },
];

type Act = (channel: Channel, connection: ChannelModel) => Promise<unknown>;

async function atQueues(stage: AlertStage, act: Act): Promise<void> {
  const connection = await connect(stage.rabbitmq.url);
  const channel = await connection.createChannel();
  await act(channel, connection);
  await channel.close();
  await connection.close();
}

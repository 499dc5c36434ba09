import { randomEndpointId } from '@form-webhooks/domain';
import { expect, vi } from 'vitest';
import { sampleOf } from '../support/metrics/samples.js';
import type { AlertStage } from './alert-stage.js';
import { times, WORKS, type Fault } from './faults.js';

const WAIT = { timeout: 60_000, interval: 100 };
/** Longer than a confirm should take. */
const FROZEN_MS = 3_000;

/** A broker that takes nothing, stands still, or can not be reached. */
export const FAULTS_OF_THE_BROKER: readonly Fault[] = [
  {
    what: 'the broker has too little memory',
    alerts: ['BrokerBlocks', 'NoWorkTaken', 'ServiceNotReady', 'EventsNotConfirmed', 'OutboxStuck'],
    make: async (stage, untilFired) => {
      await stage.rabbitmq.ctl('set_vm_memory_high_watermark', '0.000001');
      await stage.stack.registerForm(`f_${randomEndpointId()}`);
      await untilFired(() => stage.post(WORKS));
      await stage.rabbitmq.ctl('set_vm_memory_high_watermark', '0.8');
    },
  },
  {
    what: 'the broker stands still for seconds',
    alerts: ['ConfirmsSlow'],
    make: async (stage, untilFired) => {
      const goOn = await freezeBroker(stage);
      goOn();
      await untilFired();
    },
  },
  {
    what: 'the way to the broker breaks again and again',
    alerts: ['BrokerAway', 'BrokerConnectionsLost', 'PublishesFail'],
    make: async (stage, untilFired) => {
      const goOn = await freezeBroker(stage);
      await stage.brokerWay.cut();
      goOn();
      await untilFired(undefined, ['BrokerAway']);
      for (let n = 0; n < 2; n++) {
        await stage.brokerWay.mend();
        await vi.waitFor(() => expectConnected(stage), WAIT);
        await stage.brokerWay.cut();
      }
      await stage.brokerWay.mend();
      await vi.waitFor(() => expectConnected(stage), WAIT);
      await untilFired();
    },
  },
];

/** With events on their way whose callers were told to come again. @returns after some seconds, what lets it go on */
async function freezeBroker(stage: AlertStage): Promise<() => void> {
  await vi.waitFor(async () => expect(await stage.post(WORKS)).toBe(202), WAIT);
  const pid = stage.rabbitmq.pid!;
  process.kill(pid, 'SIGSTOP');
  await times(5, () => stage.post(WORKS));
  // From here on, as ingest may have asked config about the key first.
  const began = performance.now();
  await vi.waitFor(() => expect(performance.now() - began).toBeGreaterThan(FROZEN_MS), WAIT);
  return () => process.kill(pid, 'SIGCONT');
}

async function expectConnected({ stack }: AlertStage): Promise<void> {
  for (const { healthUrl } of stack.processes) {
    for (const connection of ['publishing', 'consuming']) {
      expect(await sampleOf(healthUrl, 'broker_connected', { connection })).toBe(1);
    }
  }
}

import { connect } from 'amqplib';
import { setTimeout as wait } from 'node:timers/promises';
import type { BrokerUnderTest } from '../stage/broker-under-test.js';
import { forgetPeakMemory, peakMemoryMiB } from '../stage/memory.js';
import type { Service } from '../stage/service.js';
import type { Fault, Scene } from './fault.js';

/*
 * More bytes at a time than a process can hold. Every service of a run has a heap of 256 MiB; what it holds besides are
 * the bodies.
 */

const LARGE_EVENTS = 25;
const ARRIVE_WITHIN_MS = 600_000;
const LOOK_MS = 500;
/** As many in a row, which take some ten seconds with the broker's command. */
const LOOKS_UNTIL_EMPTY = 8;
/** `npm start` alone stays below 250; beside the run's load more of the heap is taken before it is collected. */
const DISPATCHER_MIB = 350;

/** What a service may have in hand of `form.events`, and some that wait behind. */
const OVERSIZED = 60;
/** `max_message_size` of the run's broker, less a margin for what is around a body. */
const BROKER_LIMIT_BYTES = 4 * 1_024 * 1_024 - 1_024;
const REFUSED_WITHIN_MS = 300_000;
const FORM_EVENTS_QUEUE = 'ingest.form-events';
const REJECTED_QUEUE = 'ingest.form-events.rejected';
/** Beyond the heap and the program itself: `FORM_EVENTS_PREFETCH` messages of the broker's limit, twice. */
const INGEST_MIB = 300;

async function withPeak(
  scene: Scene,
  services: readonly Service[],
  maxMiB: number,
  act: () => Promise<void>,
): Promise<void> {
  const pids = services.map(({ pid }) => pid!);
  for (const pid of pids) forgetPeakMemory(pid);
  await act();
  const peaks = pids.map(peakMemoryMiB);
  scene.note(`peak memory ${peaks.join(', ')} MiB`);
  if (Math.max(...peaks) > maxMiB) throw new Error(`peak memory is ${peaks.join(', ')} MiB, more than ${maxMiB}`);
}

/** 25 events of a MiB to twenty endpoints that answer after three seconds. */
const largeEvents: Fault = {
  kind: 'large events to late endpoints',
  needs: 'large events',
  async strike(scene) {
    const large = scene.largeEvents;
    await withPeak(scene, scene.stage.of('dispatcher'), DISPATCHER_MIB, async () => {
      await large.send(LARGE_EVENTS, ARRIVE_WITHIN_MS);
      scene.healing();
      const deadline = Date.now() + ARRIVE_WITHIN_MS;
      while (large.missing > 0 && Date.now() < deadline) await wait(LOOK_MS);
      if (large.missing > 0) throw new Error(`${large.missing} large deliveries have not arrived in time`);
    });
  },
};

/**
 * More messages of the broker's limit than ingest takes at a time, all there before it takes the first. It refuses each:
 * none is an event.
 */
const oversizedMessages: Fault = {
  kind: 'messages of the broker’s limit to ingest',
  async strike(scene) {
    const { broker } = scene.stage;
    const ingests = scene.stage.of('ingest');
    await withPeak(scene, ingests, INGEST_MIB, async () => {
      for (const service of ingests) service.freeze();
      await publishOversized(broker.url.split(',')[0]!);
      scene.healing();
      for (const service of ingests) service.thaw();
      await untilRefused(broker);
    });
    await emptied(broker);
  },
};

/** Of one that was put aside twice the second copy can come after all are there: it is a message that nobody settles. */
async function emptied(broker: BrokerUnderTest): Promise<void> {
  for (let emptyLooks = 0; emptyLooks < LOOKS_UNTIL_EMPTY;) {
    const left = (await broker.depths()).has(REJECTED_QUEUE);
    if (left) await broker.ctl('purge_queue', REJECTED_QUEUE);
    emptyLooks = left ? 0 : emptyLooks + 1;
    await wait(LOOK_MS);
  }
}

/** One whose confirm comes late is put aside a second time. */
async function untilRefused(broker: BrokerUnderTest): Promise<void> {
  for (const deadline = Date.now() + REFUSED_WITHIN_MS; ;) {
    const depths = await broker.depths();
    const refused = depths.get(REJECTED_QUEUE) ?? 0;
    if (refused >= OVERSIZED && !depths.has(FORM_EVENTS_QUEUE)) return;
    if (Date.now() > deadline) throw new Error(`${refused} of ${OVERSIZED} were put aside in time`);
    await wait(LOOK_MS);
  }
}

async function publishOversized(url: string): Promise<void> {
  const connection = await connect(url);
  try {
    const channel = await connection.createConfirmChannel();
    const body = Buffer.alloc(BROKER_LIMIT_BYTES, '{');
    for (let n = 0; n < OVERSIZED; n += 1) {
      const about = { persistent: true, messageId: `oversized-${n}`, contentType: 'application/json' };
      channel.publish('form.events', 'submission.created', body, about);
      await channel.waitForConfirms();
    }
  } finally {
    await connection.close();
  }
}

export const MEMORY_FAULTS: readonly Fault[] = [largeEvents, oversizedMessages];

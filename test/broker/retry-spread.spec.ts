import { beforeAll, describe, expect, it, vi } from 'vitest';
import { QUEUES, RetryQueues } from '@form-webhooks/broker';
import {
  deriveDeliveryId,
  randomEndpointId,
  randomEventId,
  sharedRungs,
  spreadDelay,
  type RetrySchedule,
} from '@form-webhooks/domain';
import { emptyBroker, Probe, startBroker, testLogger } from '../support/broker.js';
import { brokerUrl } from '../support/broker-url.js';

const url = brokerUrl();
const RUNG_MS = 4_000;
const SCHEDULE: RetrySchedule = [RUNG_MS];
const WAIT = { timeout: 40_000, interval: 20 };
/** So many that hardly ever, once in a million runs, one of the six places in a rung has none of them. */
const MANY = 80;

/** By how much the broker's own clock may be ahead of this one at most, ms: Erlang corrects its by a hundredth. */
const CLOCKS_MS = RUNG_MS / 50;

interface Arrival {
  readonly waitedMs: number;
  readonly delayMs: number;
}

beforeAll(() => emptyBroker(url));

/** Puts one failed delivery of each endpoint where it waits, all at the same moment, and hears when they fall due. */
async function failAtOnce(endpointIds: readonly string[], maxLeases: number, falls: string): Promise<Arrival[]> {
  const sharedRungsMs = sharedRungs(SCHEDULE);
  const broker = await startBroker(url);
  const options = {
    sharedRungsMs,
    marginMs: 5_000,
    maxLeases,
    declareWaitMs: 20_000,
    dueIsThere: () => true,
    idOf: () => 'any',
  };
  const queues = new RetryQueues(broker.publishing, broker.publisher, options, testLogger);
  const probe = await Probe.open(url);
  const arrivals: Arrival[] = [];
  await probe.channel.consume(falls, (message) => {
    const { publishedAt, delayMs } = JSON.parse(message!.content.toString()) as {
      publishedAt: number;
      delayMs: number;
    };
    arrivals.push({ waitedMs: Date.now() - publishedAt, delayMs });
  });
  const failures = endpointIds.map((endpointId) => {
    const deliveryId = deriveDeliveryId(randomEventId(), endpointId);
    const delay = spreadDelay(RUNG_MS, { deliveryId, endpointId, tryIndex: 0 });
    return queues.publish(endpointId, delay, ({ delayMs }) => ({
      headers: {},
      body: Buffer.from(JSON.stringify({ publishedAt: Date.now(), delayMs })),
    }));
  });
  await Promise.all(failures);
  await vi.waitFor(() => expect(arrivals).toHaveLength(endpointIds.length), WAIT);
  return arrivals;
}

/**
 * From the shortest wait to the longest one, ms. By the delays that were asked for, before none of which a message may
 * come: a machine that stands still hands over together what fell due at different moments.
 */
function spreadOf(arrivals: readonly Arrival[]): number {
  expect(arrivals.filter(({ waitedMs, delayMs }) => waitedMs < delayMs - CLOCKS_MS)).toEqual([]);
  const delays = arrivals.map(({ delayMs }) => delayMs);
  return Math.max(...delays) - Math.min(...delays);
}

describe('failures at one moment', () => {
  it('of one endpoint come back over a fifth of their wait, none early', { timeout: 60_000 }, async () => {
    const arrivals = await failAtOnce(Array<string>(MANY).fill(randomEndpointId()), 100, QUEUES.due);
    expect(Math.min(...arrivals.map(({ waitedMs }) => waitedMs))).toBeGreaterThanOrEqual(RUNG_MS);
    expect(spreadOf(arrivals)).toBeGreaterThan(RUNG_MS / 5);
    expect(new Set(arrivals.map(({ delayMs }) => delayMs)).size).toBeGreaterThan(4);
  });

  it('of many endpoints do so through the shared queues too', { timeout: 60_000 }, async () => {
    const arrivals = await failAtOnce(Array.from({ length: MANY }, randomEndpointId), 0, QUEUES.deliveries);
    expect(Math.min(...arrivals.map(({ waitedMs }) => waitedMs))).toBeGreaterThanOrEqual(RUNG_MS);
    expect(spreadOf(arrivals)).toBeGreaterThan(RUNG_MS / 5);
    expect(new Set(arrivals.map(({ delayMs }) => delayMs)).size).toBeGreaterThan(3);
  });
});

import { beforeAll, describe, expect, it, vi } from 'vitest';
import { brokerUrl } from '../support/broker-url.js';
import {
  DONE,
  endpointRetryQueue,
  park,
  PublishFailed,
  QUEUES,
  RetryQueues,
  type RetryQueuesOptions,
  RpcUnavailable,
  rpcPattern,
  toQueue,
  TO_DELIVERIES,
  type Broker,
  type IncomingMessage,
  type OutgoingMessage,
} from '@form-webhooks/broker';
import { emptyBroker, Probe, startBroker, startServer, testLogger } from '../support/broker.js';

const url = brokerUrl();
const WAIT = { timeout: 20_000, interval: 20 };
const message = (text: string): OutgoingMessage => ({ headers: { schema_version: 1 }, body: Buffer.from(text) });

function retryQueuesOf(broker: Broker, options: Partial<RetryQueuesOptions> = {}): RetryQueues {
  return new RetryQueues(
    broker.publishing,
    broker.publisher,
    {
      sharedRungsMs: [1_000, 60_000],
      marginMs: 5_000,
      maxLeases: 100,
      declareWaitMs: 5_000,
      dueIsThere: () => true,
      idOf: () => 'any',
      ...options,
    },
    testLogger,
  );
}

beforeAll(() => emptyBroker(url));

describe('publishing', () => {
  it('fails for certain when no queue would take the message (trap 4)', async () => {
    const broker = await startBroker(url);
    await expect(broker.publisher.publish(toQueue('retry.we_gone.100'), message('x'))).rejects.toMatchObject({
      name: 'PublishFailed',
      code: 'unroutable',
    });
    await expect(broker.publisher.publish(TO_DELIVERIES, message('x'))).resolves.toBeUndefined();
  });

  it('reads the confirms that came while the process stood still before it gives anything up', async () => {
    const broker = await startBroker(url, { publisherLimits: { confirmTimeoutMs: 500 } });
    // Again if the broker stood still as well, and the confirm had not come by then.
    await vi.waitFor(async () => {
      const published = broker.publisher.publish(TO_DELIVERIES, message('x'));
      // Into the socket, and then nothing for four times as long as a confirm may take.
      await new Promise((resolve) => setImmediate(resolve));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
      await expect(published).resolves.toBeUndefined();
    }, WAIT);
  });

  it('keeps bytes and headers as they are, and messages persistent', async () => {
    const broker = await startBroker(url);
    const probe = await Probe.open(url);
    await probe.channel.purgeQueue(QUEUES.events);
    const body = Buffer.from([0, 255, 0x7b, 0xed, 0xa0, 0x80]);
    await broker.publisher.publish(toQueue(QUEUES.events), { headers: { try: 3, event: 'draft.resumed' }, body });
    const arrived = await vi.waitFor(async () => {
      const got = await probe.channel.get(QUEUES.events, { noAck: true });
      if (!got) throw new Error('nothing arrived yet');
      return got;
    }, WAIT);
    expect(arrived.content.equals(body)).toBe(true);
    expect(arrived.properties.headers).toMatchObject({ try: 3, event: 'draft.resumed' });
    expect(arrived.properties.deliveryMode).toBe(2);
  });

  it('gives no message a header of another, however close they follow', async () => {
    const broker = await startBroker(url);
    const probe = await Probe.open(url);
    await probe.channel.purgeQueue(QUEUES.events);
    const headers: OutgoingMessage['headers'][] = [{ event: 'e', try: 3 }, { kind: 'k' }, {}, { event: 'other' }];
    const body = Buffer.from('x');
    await Promise.all(headers.map((each) => broker.publisher.publish(toQueue(QUEUES.events), { headers: each, body })));
    const arrived = await probe.collect(QUEUES.events);
    await vi.waitFor(() => expect(arrived).toHaveLength(headers.length), WAIT);
    expect(arrived.map(({ properties }) => properties.headers as object)).toEqual(headers);
  });

  it('rejects at once while it is not connected', async () => {
    const broker = await startBroker(url);
    await broker.close();
    await expect(broker.publisher.publish(TO_DELIVERIES, message('x'))).rejects.toBeInstanceOf(PublishFailed);
  });

  it('confirms every message of a burst larger than its window', async () => {
    const broker = await startBroker(url, { publisherLimits: { maxUnconfirmed: 10 } });
    const probe = await Probe.open(url);
    await probe.channel.purgeQueue(QUEUES.events);
    await Promise.all(
      Array.from({ length: 500 }, (_, n) => broker.publisher.publish(toQueue(QUEUES.events), message(`${n}`))),
    );
    await vi.waitFor(async () => expect(await probe.depth(QUEUES.events)).toBe(500), WAIT);
    await probe.channel.purgeQueue(QUEUES.events);
  });
});

describe('consuming', () => {
  it('passes bytes untouched and acks what is done (trap 12)', async () => {
    const seen: IncomingMessage[] = [];
    const { broker } = await startServer(url, {
      [QUEUES.events]: async (incoming: IncomingMessage) => {
        seen.push(incoming);
        return DONE;
      },
    });
    await broker.publisher.publish(toQueue(QUEUES.events), message('{not json'));
    await vi.waitFor(() => expect(seen).toHaveLength(1), WAIT);
    expect(seen[0]!.body.toString()).toBe('{not json');
    expect(seen[0]).toMatchObject({ queue: QUEUES.events, redelivered: false, headers: { schema_version: 1 } });
  });

  it('parks what can not be processed with its reason, and goes on with the next message', async () => {
    const probe = await Probe.open(url);
    const done: string[] = [];
    const { broker } = await startServer(url, {
      [QUEUES.events]: async ({ body }: IncomingMessage) => {
        if (body.toString() === 'poison') return park('it is poison');
        done.push(body.toString());
        return DONE;
      },
    });
    await broker.publisher.publish(toQueue(QUEUES.events), message('poison'));
    await broker.publisher.publish(toQueue(QUEUES.events), message('good'));
    await vi.waitFor(() => expect(done).toEqual(['good']), WAIT);
    const parked = await vi.waitFor(async () => {
      const got = await probe.channel.get(`${QUEUES.events}.parked`, { noAck: true });
      if (!got) throw new Error('nothing parked yet');
      return got;
    }, WAIT);
    expect(parked.content.toString()).toBe('poison');
    expect(parked.properties.headers).toMatchObject({ parked_reason: 'it is poison', schema_version: 1 });
  });

  it('hands a message back when its handler throws, and the process lives (trap 13)', async () => {
    const redelivered: boolean[] = [];
    const { broker } = await startServer(url, {
      [QUEUES.events]: async (incoming: IncomingMessage) => {
        redelivered.push(incoming.redelivered);
        if (redelivered.length === 1) throw new Error('a bug');
        return DONE;
      },
    });
    await broker.publisher.publish(toQueue(QUEUES.events), message('x'));
    await vi.waitFor(() => expect(redelivered).toEqual([false, true]), WAIT);
  });

  it('loses no ack when it stops right after the last message (trap 13)', async () => {
    const probe = await Probe.open(url);
    for (let run = 0; run < 3; run++) {
      await probe.channel.purgeQueue(QUEUES.events);
      let handled = 0;
      const { broker, server } = await startServer(url, {
        [QUEUES.events]: async () => {
          handled += 1;
          return DONE;
        },
      });
      await Promise.all(
        Array.from({ length: 50 }, () => broker.publisher.publish(toQueue(QUEUES.events), message('x'))),
      );
      await vi.waitFor(() => expect(handled).toBe(50), WAIT);
      await server.close();
      await broker.close();
      expect(await probe.depth(QUEUES.events)).toBe(0);
    }
  });

  it('finishes what is in flight before it stops, and hands back what it had not begun', async () => {
    const probe = await Probe.open(url);
    await probe.channel.purgeQueue(QUEUES.events);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    const { broker, server } = await startServer(
      url,
      {
        [QUEUES.events]: async () => {
          begun += 1;
          await held;
          return DONE;
        },
      },
      { prefetch: { [QUEUES.events]: 2 } },
    );
    await Promise.all(Array.from({ length: 5 }, () => broker.publisher.publish(toQueue(QUEUES.events), message('x'))));
    await vi.waitFor(() => expect(begun).toBe(2), WAIT);
    const stopped = server.close();
    release();
    await stopped;
    await broker.close();
    await vi.waitFor(async () => expect(await probe.depth(QUEUES.events)).toBe(3), WAIT);
    await probe.channel.purgeQueue(QUEUES.events);
  });

  it('takes nothing while paused and goes on when resumed', async () => {
    let handled = 0;
    const { broker, server } = await startServer(url, {
      [QUEUES.events]: async () => {
        handled += 1;
        return DONE;
      },
    });
    const probe = await Probe.open(url);
    await server.pause(QUEUES.events);
    expect(server.healthy).toBe(true);
    await broker.publisher.publish(toQueue(QUEUES.events), message('x'));
    await vi.waitFor(async () => expect(await probe.depth(QUEUES.events)).toBe(1), WAIT);
    expect(handled).toBe(0);
    await server.resume(QUEUES.events);
    await vi.waitFor(() => expect(handled).toBe(1), WAIT);
  });

  it('attaches its consumer again when its queue was deleted under it (trap 10)', async () => {
    let handled = 0;
    const { broker, server } = await startServer(url, {
      [QUEUES.events]: async () => {
        handled += 1;
        return DONE;
      },
    });
    const probe = await Probe.open(url);
    await probe.channel.deleteQueue(QUEUES.events);
    await vi.waitFor(async () => {
      expect(server.healthy).toBe(true);
      await broker.publisher.publish(toQueue(QUEUES.events), message('x'));
      await vi.waitFor(() => expect(handled).toBeGreaterThan(0), { timeout: 1_000 });
    }, WAIT);
  });
});

describe('the queue of what is due, which lives on one node', () => {
  it('is consumed again after it was gone, and nothing else is disturbed meanwhile', async () => {
    let handled = 0;
    const { broker, server } = await startServer(url, {
      [QUEUES.due]: async () => {
        handled += 1;
        return DONE;
      },
      [QUEUES.events]: async () => DONE,
    });
    const probe = await Probe.open(url);
    expect(server.isAttached(QUEUES.due)).toBe(true);
    await probe.channel.deleteQueue(QUEUES.due);
    await vi.waitFor(() => expect(server.isAttached(QUEUES.due)).toBe(false), WAIT);
    expect(server.healthy).toBe(true);
    await vi.waitFor(() => expect(server.isAttached(QUEUES.due)).toBe(true), WAIT);
    await broker.publisher.publish(toQueue(QUEUES.due), message('x'));
    await vi.waitFor(() => expect(handled).toBe(1), WAIT);
  });

  it('is not relied on while it is away: retries wait in shared queues', async () => {
    const broker = await startBroker(url);
    const queues = retryQueuesOf(broker, { dueIsThere: () => false });
    expect(await queues.publish('we_away', 100, () => message('x'))).toMatchObject({ queue: 'retry.shared.1000' });
  });
});

describe('calls between services', () => {
  it('brings the reply of the one that serves the call', async () => {
    await startServer(
      url,
      {
        [rpcPattern(QUEUES.configRpc, 'api_key')]: async ({ key_id }: { key_id: string }) => ({
          valid: key_id === 'k',
        }),
      },
      { rpc: true },
    );
    const broker = await startBroker(url);
    const ask = (key_id: string): Promise<unknown> =>
      broker.rpc.call(QUEUES.configRpc, 'api_key', { key_id, key_hash: '' }, 20_000);
    expect(await Promise.all([ask('k'), ask('other')])).toEqual([{ valid: true }, { valid: false }]);
  });

  it('says that nobody answered in time', async () => {
    const broker = await startBroker(url);
    const call = broker.rpc.call(QUEUES.dispatcherRpc, 'check_url', { url: 'https://x.example' }, 100);
    await expect(call).rejects.toBeInstanceOf(RpcUnavailable);
  });

  it('tells the caller that the call failed, without the reason', async () => {
    await startServer(
      url,
      { [rpcPattern(QUEUES.configRpc, 'api_key')]: () => Promise.reject(new Error('password=hunter2')) },
      { rpc: true },
    );
    const broker = await startBroker(url);
    const call = broker.rpc.call(QUEUES.configRpc, 'api_key', { key_id: 'k', key_hash: '' }, 20_000);
    await expect(call).rejects.toThrow(/^api_key failed$/);
  });

  it('is heard by every subscriber, once each', async () => {
    const heard: string[] = [];
    const publisher = await startBroker(url);
    for (const name of ['a', 'b']) {
      const broker = await startBroker(url);
      const ready = new Promise<void>((resolve) =>
        broker.subscribe('webhook.config-changes', (body) => heard.push(`${name} ${body.toString()}`), resolve),
      );
      await ready;
    }
    await publisher.publisher.broadcast('webhook.config-changes', Buffer.from('changed'));
    await vi.waitFor(() => expect(heard.sort()).toEqual(['a changed', 'b changed']), WAIT);
  });
});

describe('retry queues', () => {
  it('let a short delay pass a long one of the same endpoint (trap 6)', async () => {
    const broker = await startBroker(url);
    const probe = await Probe.open(url);
    const due = await probe.collect(QUEUES.due);
    const queues = retryQueuesOf(broker);
    await queues.publish('we_order', 30_000, () => message('long'));
    await queues.publish('we_order', 100, () => message('short'));
    await vi.waitFor(() => expect(due.map(({ content }) => content.toString())).toEqual(['short']), WAIT);
    const { name } = endpointRetryQueue('we_order', 30_000, 5_000);
    expect(await probe.depth(name)).toBe(1);
    // Or it would fall due among the messages of another test.
    await probe.channel.deleteQueue(name);
  });

  it.each([
    ['', () => undefined],
    [
      ', also when the wall clock was an hour ahead for a moment',
      (n: number) => {
        const aheadMs = n < 5 ? 3_600_000 : 0;
        vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + aheadMs);
      },
    ],
  ])(
    'lose nothing under steady traffic for many times their expiry (trap 1)%s',
    { timeout: 180_000 },
    async (which, setClock) => {
      const broker = await startBroker(url);
      const probe = await Probe.open(url);
      const due = await probe.collect(QUEUES.due);
      // Expires 700 ms after its last use; without renewal the first expiry would take what waits along.
      const marginMs = 500;
      const queues = retryQueuesOf(broker, { marginMs });
      /** @returns what was sent; nothing if the machine stood still for half of the margin, elsewhere minutes */
      const publishSteadily = async (round: number): Promise<readonly string[] | undefined> => {
        const sent = Array.from({ length: 300 }, (_, n) => `${which} ${round} ${n}`);
        for (const [n, text] of sent.entries()) {
          setClock(n);
          const began = performance.now();
          await queues.publish('we_steady', 100, () => message(text));
          if (performance.now() - began > marginMs / 2) return undefined;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return sent;
      };
      const publishAll = async (round = 1): Promise<readonly string[]> =>
        (await publishSteadily(round)) ?? publishAll(round + 1);
      const sent = await publishAll();
      const received = (): string[] => due.map(({ content }) => content.toString());
      await vi.waitFor(() => expect(sent.filter((text) => !received().includes(text))).toEqual([]), WAIT);
      expect(received().length, 'each once').toBe(new Set(received()).size);
    },
  );

  it('vanish once they are unused', async () => {
    const broker = await startBroker(url);
    const probe = await Probe.open(url);
    const queues = retryQueuesOf(broker, { marginMs: 500 });
    await queues.publish('we_vanish', 100, () => message('x'));
    const { name } = endpointRetryQueue('we_vanish', 100, 500);
    // A passive declare would renew it, so the question is asked by publishing.
    await vi.waitFor(async () => {
      await expect(broker.publisher.publish(toQueue(name), message('probe'))).rejects.toMatchObject({
        code: 'unroutable',
      });
    }, WAIT);
    await probe.channel.purgeQueue(QUEUES.due);
  });

  it('are declared again when they are gone, and the message is published again (trap 4)', async () => {
    const broker = await startBroker(url);
    const probe = await Probe.open(url);
    const due = await probe.collect(QUEUES.due);
    const queues = retryQueuesOf(broker);
    await queues.publish('we_deleted', 200, () => message('first'));
    await probe.channel.deleteQueue(endpointRetryQueue('we_deleted', 200, 5_000).name);
    await queues.publish('we_deleted', 200, () => message('second'));
    await vi.waitFor(() => expect(due.map(({ content }) => content.toString())).toContain('second'), WAIT);
  });

  it('give way to the next longer shared queue beyond their number, with the due time to match', async () => {
    const broker = await startBroker(url);
    const probe = await Probe.open(url);
    await probe.channel.purgeQueue(QUEUES.deliveries);
    const queues = retryQueuesOf(broker, { maxLeases: 1 });
    expect(await queues.publish('we_first', 300, () => message('own'))).toMatchObject({ delayMs: 300 });
    const placement = await queues.publish('we_second', 300, ({ delayMs }) => message(`shared ${delayMs}`));
    expect(placement).toEqual({ queue: 'retry.shared.1000', delayMs: 1_000 });
    const deliveries = await probe.collect(QUEUES.deliveries);
    await vi.waitFor(() => expect(deliveries.map(({ content }) => content.toString())).toEqual(['shared 1000']), WAIT);
    // By this a dispatcher knows that the queue lets go of what has expired (trap 19).
    expect(deliveries[0]!.properties.headers).toMatchObject({ 'x-first-death-queue': 'retry.shared.1000' });
  });

  it('of another margin or delay stand beside each other (trap 5)', async () => {
    const broker = await startBroker(url);
    const probe = await Probe.open(url);
    const due = await probe.collect(QUEUES.due);
    const margins = [5_000, 6_000, 600_000];
    for (const marginMs of margins) {
      await retryQueuesOf(broker, { marginMs }).publish('we_margin', 100, () => message(`margin ${marginMs}`));
    }
    const arrived = () => due.map(({ content }) => content.toString()).filter((text) => text.startsWith('margin'));
    await vi.waitFor(() => expect(arrived().sort()).toEqual(margins.map((ms) => `margin ${ms}`).sort()), WAIT);
  });
});

describe('a changed configuration', () => {
  it('starts beside the queues of the one before (trap 5)', async () => {
    const before = await startBroker(url);
    const after = await startBroker(url);
    expect([before.status().publishing, after.status().publishing]).toEqual([true, true]);
  });

  it('can not kill the channel that publishes when a retry queue is refused (trap 5)', async () => {
    const broker = await startBroker(url);
    const probe = await Probe.open(url);
    const { name } = endpointRetryQueue('we_refused', 100, 5_000);
    await probe.channel.assertQueue(name, { durable: true, arguments: { 'x-message-ttl': 999 } });
    const placement = await retryQueuesOf(broker).publish('we_refused', 100, () => message('x'));
    expect(placement.queue).toBe('retry.shared.1000');
    expect(broker.status().publishing).toBe(true);
    await probe.channel.deleteQueue(name);
  });
});

import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BrokerLink, Session } from '../connection/broker-link.js';
import { QUEUES } from '../queue-names.js';
import { RpcBusy, RpcClient, RpcUnavailable } from './rpc.js';

/** A channel that takes all calls, none of which is ever answered. */
class SilentChannel extends EventEmitter {
  published = 0;
  consume = () => Promise.resolve();
  publish = () => void (this.published += 1);
}

async function stage() {
  const channel = new SilentChannel();
  const session = { openChannel: () => Promise.resolve(channel) } as unknown as Session;
  const attached: unknown[] = [];
  const addStep = (step: (session: Session) => unknown) => attached.push(step(session));
  const link = { isCluster: false, ready: true, addStep };
  const client = new RpcClient(link as unknown as BrokerLink);
  await Promise.all(attached);
  const call = (): Promise<unknown> => client.call(QUEUES.configRpc, 'api_key', { key_id: 'k', key_hash: '' }, 3_000);
  return { channel, client, call, link };
}

afterEach(() => vi.useRealTimers());

describe('a call that would be one too many', () => {
  it('is not made, and is told from one that nobody answered', async () => {
    vi.useFakeTimers();
    const { channel, call } = await stage();
    const waiting = Array.from({ length: 1_000 }, () => call().catch((error: unknown) => error));
    await expect(call()).rejects.toBeInstanceOf(RpcBusy);
    expect(channel.published).toBe(1_000);
    await vi.advanceTimersByTimeAsync(3_000);
    const came = await Promise.all(waiting);
    expect(came.every((error) => error instanceof RpcUnavailable && !(error instanceof RpcBusy))).toBe(true);
  });

  it('is one that could not be made, for whoever does not tell them apart', async () => {
    expect(new RpcBusy('too many')).toBeInstanceOf(RpcUnavailable);
    const { client, call } = await stage();
    const first = call();
    client.stop();
    await expect(first).rejects.toBeInstanceOf(RpcUnavailable);
  });
});

it('a call is not made while the connection is still being set up', async () => {
  const { channel, call, link } = await stage();
  link.ready = false;
  await expect(call()).rejects.toBeInstanceOf(RpcUnavailable);
  expect(channel.published).toBe(0);
});

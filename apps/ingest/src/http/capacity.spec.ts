import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Capacity } from './capacity.js';

/** A request and its answer, as far as a share of the capacity depends on them. */
function anExchange() {
  const socket = Object.assign(new EventEmitter(), { destroyed: false, destroy: vi.fn() });
  const req = { socket };
  return Object.assign(new EventEmitter(), { req, closed: false }) as unknown as ServerResponse;
}

describe('Capacity', () => {
  let capacity: Capacity;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    capacity = new Capacity({ requests: 2, bytes: 100, holdMs: 60_000 });
  });
  afterEach(() => void vi.useRealTimers());

  it('has room for so many requests and so many bytes, and gets it back', () => {
    const first = anExchange();
    expect(
      [first, anExchange(), anExchange(), anExchange()].map((one, i) => capacity.enter(one, [60, 60, 40, 0][i]!)),
    ).toEqual([true, false, true, false]);
    expect([capacity.requests.held, capacity.bytes.held]).toEqual([2, 100]);
    first.emit('close');
    expect([capacity.enter(anExchange(), 61), capacity.enter(anExchange(), 60)]).toEqual([false, true]);
  });

  it('keeps the share of a caller who has gone for as long as the body is in hand', async () => {
    const exchange = anExchange();
    capacity.enter(exchange, 60);
    let finish: () => void = () => undefined;
    const work = capacity.during(exchange.req, () => new Promise<void>((resolve) => (finish = resolve)));
    exchange.req.socket.emit('close');
    expect(capacity.bytes.held).toBe(60);
    finish();
    await work;
    expect([capacity.requests.held, capacity.bytes.held]).toEqual([0, 0]);
  });

  it('cuts the connection of a caller who never takes the answer, and leaves no timer behind', () => {
    const [slow, quick] = [anExchange(), anExchange()];
    capacity.enter(slow, 1);
    capacity.enter(quick, 1);
    quick.emit('close');
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(slow.req.socket.destroy).toHaveBeenCalledTimes(1);
    expect(quick.req.socket.destroy).not.toHaveBeenCalled();
  });
});

import { RpcBusy, RpcUnavailable } from '@form-webhooks/broker';
import type { DeliveryId } from '@form-webhooks/domain';
import { MAX_DELIVERIES_ASKED, type KnownDeliveriesReply, type KnownDeliveriesRequest } from '@form-webhooks/messages';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { held } from '../testing/fakes.js';
import { KnownDeliveries, type AskedDelivery } from './known-deliveries.js';

const asked = (n: number): AskedDelivery => ({ deliveryId: `dlv_${n}` as DeliveryId, acceptedAt: 1_000 + n });
const KNOWS_ALL = ({ deliveries }: KnownDeliveriesRequest): KnownDeliveriesReply => ({
  known: deliveries.map(({ delivery_id }) => ({ delivery_id, generation: 0, is_final: true })),
});

function stage(answer: (request: KnownDeliveriesRequest) => Promise<KnownDeliveriesReply>) {
  const ask = vi.fn(answer);
  const report = vi.fn();
  return { ask, report, known: new KnownDeliveries(ask, report) };
}

afterEach(() => vi.useRealTimers());

describe('asking the log what it knows', () => {
  it('tells of each delivery what the log says, and nothing of one that it does not hold', async () => {
    const { known, ask, report } = stage(() =>
      Promise.resolve({ known: [{ delivery_id: 'dlv_1', generation: 2, is_final: false }] }),
    );
    const found = await known.of([asked(1), asked(2)]);
    expect([...found.values()]).toEqual([{ delivery_id: 'dlv_1', generation: 2, is_final: false }]);
    expect(ask).toHaveBeenCalledExactlyOnceWith({
      deliveries: [
        { delivery_id: 'dlv_1', accepted_at: 1_001 },
        { delivery_id: 'dlv_2', accepted_at: 1_002 },
      ],
    });
    expect(report).toHaveBeenCalledExactlyOnceWith('answered');
  });

  it('asks with one call for all that came while another was under way', async () => {
    const answers = [held<KnownDeliveriesReply>(), held<KnownDeliveriesReply>()];
    const { known, ask } = stage(() => answers[ask.mock.calls.length - 1]!.promise);
    const questions = [1, 2, 3].map((n) => known.of([asked(n)]));
    answers[0]!.resolve({ known: [] });
    await questions[0];
    expect(ask.mock.calls[1]![0].deliveries.map(({ delivery_id }) => delivery_id)).toEqual(['dlv_2', 'dlv_3']);
    answers[1]!.resolve(KNOWS_ALL(ask.mock.calls[1]![0]));
    expect((await questions[2]!).get('dlv_3')).toMatchObject({ is_final: true });
  });

  it('asks about a bounded number at a time', async () => {
    const first = held<KnownDeliveriesReply>();
    const { known, ask } = stage((request) =>
      ask.mock.calls.length === 1 ? first.promise : Promise.resolve(KNOWS_ALL(request)),
    );
    const questions = Array.from({ length: MAX_DELIVERIES_ASKED + 2 }, (_, n) => known.of([asked(n)]));
    first.resolve({ known: [] });
    await Promise.all(questions);
    expect(ask.mock.calls.map(([{ deliveries }]) => deliveries.length)).toEqual([1, MAX_DELIVERIES_ASKED, 1]);
  });

  it('asks nothing about nothing', async () => {
    const { known, ask } = stage(() => Promise.resolve({ known: [] }));
    expect((await known.of([])).size).toBe(0);
    expect(ask).not.toHaveBeenCalled();
  });

  it('knows nothing while config is away, and asks again only after a while', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { known, ask, report } = stage(() => Promise.reject(new RpcUnavailable('config does not answer')));
    const answers = await Promise.all([known.of([asked(1)]), known.of([asked(2)])]);
    expect(answers.map(({ size }) => size)).toEqual([0, 0]);
    await known.of([asked(3)]);
    expect(ask).toHaveBeenCalledOnce();
    expect(report).toHaveBeenCalledExactlyOnceWith('unanswered');
    ask.mockImplementation((request) => Promise.resolve(KNOWS_ALL(request)));
    vi.advanceTimersByTime(5_001);
    expect((await known.of([asked(4)])).size).toBe(1);
  });

  it('knows nothing when too many calls of this process wait, and asks again at once', async () => {
    const { known, ask } = stage(() => Promise.reject(new RpcBusy('too many wait')));
    expect((await known.of([asked(1)])).size).toBe(0);
    ask.mockImplementation((request) => Promise.resolve(KNOWS_ALL(request)));
    expect((await known.of([asked(2)])).size).toBe(1);
  });

  it('fails all who wait for a bug, and goes on with the next', async () => {
    const { known, ask } = stage(() => Promise.reject(new TypeError('no such member')));
    await expect(known.of([asked(1)])).rejects.toThrow('no such member');
    ask.mockImplementation((request) => Promise.resolve(KNOWS_ALL(request)));
    expect((await known.of([asked(2)])).size).toBe(1);
  });
});

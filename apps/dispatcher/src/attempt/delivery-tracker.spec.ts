import { describe, expect, it } from 'vitest';
import { aDelivery } from '../testing/factories.js';
import { held } from '../testing/fakes.js';
import { DeliveryTracker, type SettledOrDeferred, type SettledOrLeft } from './delivery-tracker.js';

function handler(came: SettledOrLeft): {
  calls: number;
  finish: () => void;
  handle: () => Promise<SettledOrLeft>;
} {
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  const self = {
    calls: 0,
    finish,
    handle: async () => {
      self.calls += 1;
      await done;
      return came;
    },
  };
  return self;
}

describe('DeliveryTracker', () => {
  it('joins a redelivery to the attempt in flight', async () => {
    const tracker = new DeliveryTracker();
    const attempt = handler('settled');
    const both = [tracker.handleOnce(aDelivery(), attempt.handle), tracker.handleOnce(aDelivery(), attempt.handle)];
    attempt.finish();
    await Promise.all(both);
    expect(attempt.calls).toBe(1);
  });

  it('does nothing for a redelivery of what is settled', async () => {
    const tracker = new DeliveryTracker();
    const attempt = handler('settled');
    attempt.finish();
    await tracker.handleOnce(aDelivery(), attempt.handle);
    await tracker.handleOnce(aDelivery({ position: { deferrals: 3 } }), attempt.handle);
    expect(attempt.calls).toBe(1);
  });

  it.each([
    ['the next try', { try: 1 }],
    ['a replay', { generation: 1 }],
  ])('handles %s of a settled one', async (_name, position) => {
    const tracker = new DeliveryTracker();
    const attempt = handler('settled');
    attempt.finish();
    await tracker.handleOnce(aDelivery(), attempt.handle);
    await tracker.handleOnce(aDelivery({ position }), attempt.handle);
    expect(attempt.calls).toBe(2);
  });

  it('handles a settled one again that the reconciler published again: the record of its outcome was lost', async () => {
    const tracker = new DeliveryTracker();
    const attempt = handler('settled');
    attempt.finish();
    await tracker.handleOnce(aDelivery(), attempt.handle);
    await tracker.handleOnce(aDelivery({ republishedBy: 'rec_1' }), attempt.handle);
    expect(attempt.calls).toBe(2);
  });

  it('handles what the reconciler published again once for each reconciliation, however often its message comes', async () => {
    const tracker = new DeliveryTracker();
    const attempt = handler('settled');
    attempt.finish();
    for (const republishedBy of ['rec_1', 'rec_1', 'rec_2', 'rec_1', 'rec_2']) {
      await tracker.handleOnce(aDelivery({ republishedBy }), attempt.handle);
    }
    await tracker.handleOnce(aDelivery(), attempt.handle);
    expect(attempt.calls).toBe(2);
  });

  it('handles a deferred one again when it comes back, however often', async () => {
    const tracker = new DeliveryTracker();
    const attempt = handler('deferred');
    attempt.finish();
    await tracker.handleOnce(aDelivery(), attempt.handle);
    await tracker.handleOnce(aDelivery({ position: { deferrals: 1 } }), attempt.handle);
    expect(attempt.calls).toBe(2);
  });

  it('does not lose a deferral that falls due before the deferral itself is confirmed', async () => {
    const tracker = new DeliveryTracker();
    const first = handler('deferred');
    const second = handler('settled');
    second.finish();
    const deferring = tracker.handleOnce(aDelivery(), first.handle);
    const due = tracker.handleOnce(aDelivery({ position: { deferrals: 1 } }), second.handle);
    first.finish();
    await Promise.all([deferring, due]);
    expect(second.calls).toBe(1);
  });

  it('handles one of two copies that waited for the same deferral, and joins the other to it', async () => {
    const tracker = new DeliveryTracker();
    const [deferral, attempt] = [handler('deferred'), handler('settled')];
    const first = tracker.handleOnce(aDelivery(), deferral.handle);
    const again = aDelivery({ position: { deferrals: 1 } });
    const both = [tracker.handleOnce(again, attempt.handle), tracker.handleOnce(again, attempt.handle)];
    deferral.finish();
    await first;
    attempt.finish();
    await Promise.all(both);
    expect(attempt.calls).toBe(1);
  });

  it('joins what was published again to the attempt in flight that settles it', async () => {
    const tracker = new DeliveryTracker();
    const attempt = handler('settled');
    const republished = aDelivery({ republishedBy: 'rec_1', position: { deferrals: 1 } });
    const both = [tracker.handleOnce(aDelivery(), attempt.handle), tracker.handleOnce(republished, attempt.handle)];
    attempt.finish();
    await Promise.all(both);
    expect(attempt.calls).toBe(1);
  });

  it('joins a second copy of a deferral in flight', async () => {
    const tracker = new DeliveryTracker();
    const attempt = handler('deferred');
    const both = [1, 2].map(() => tracker.handleOnce(aDelivery({ position: { deferrals: 1 } }), attempt.handle));
    attempt.finish();
    await Promise.all(both);
    expect(attempt.calls).toBe(1);
  });

  it('handles a redelivery itself that joined one which was left undone', async () => {
    const tracker = new DeliveryTracker();
    const [left, attempt] = [handler('left'), handler('settled')];
    const both = [left, attempt].map(({ handle }) => tracker.handleOnce(aDelivery(), handle));
    attempt.finish();
    left.finish();
    await Promise.all(both);
    // Before another comes, which would be handled in any case.
    expect([left.calls, attempt.calls]).toEqual([1, 1]);
    await tracker.handleOnce(aDelivery(), attempt.handle);
    expect([left.calls, attempt.calls]).toEqual([1, 1]);
  });

  it('fails with the handling of one, also for who joined it, and forgets it, so that it is tried again', async () => {
    const tracker = new DeliveryTracker();
    const bug = held<SettledOrDeferred>();
    const both = Promise.allSettled([1, 2].map(() => tracker.handleOnce(aDelivery(), () => bug.promise)));
    bug.reject(new Error('a bug'));
    const failed = { status: 'rejected', reason: new Error('a bug') };
    expect(await both).toEqual([failed, failed]);
    const attempt = handler('settled');
    attempt.finish();
    await tracker.handleOnce(aDelivery(), attempt.handle);
    expect(attempt.calls).toBe(1);
  });
});

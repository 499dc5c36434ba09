import { describe, expect, it } from 'vitest';
import type { DeliveryMessage } from '@form-webhooks/messages';
import { DeliveryTracker, type SettledOrDeferred } from './delivery-tracker.js';

const delivery = (position: Partial<DeliveryMessage['position']> = {}): DeliveryMessage =>
  ({ deliveryId: 'dlv_1', position: { generation: 0, try: 0, deferrals: 0, ...position } }) as DeliveryMessage;

function handler(came: SettledOrDeferred): {
  calls: number;
  finish: () => void;
  handle: () => Promise<SettledOrDeferred>;
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
    const both = [tracker.handleOnce(delivery(), attempt.handle), tracker.handleOnce(delivery(), attempt.handle)];
    attempt.finish();
    await Promise.all(both);
    expect(attempt.calls).toBe(1);
  });

  it('does nothing for a redelivery of what is settled', async () => {
    const tracker = new DeliveryTracker();
    const attempt = handler('settled');
    attempt.finish();
    await tracker.handleOnce(delivery(), attempt.handle);
    await tracker.handleOnce(delivery({ deferrals: 3 }), attempt.handle);
    expect(attempt.calls).toBe(1);
  });

  it.each([
    ['the next try', { try: 1 }],
    ['a replay', { generation: 1 }],
  ])('handles %s of a settled one', async (_name, position) => {
    const tracker = new DeliveryTracker();
    const attempt = handler('settled');
    attempt.finish();
    await tracker.handleOnce(delivery(), attempt.handle);
    await tracker.handleOnce(delivery(position), attempt.handle);
    expect(attempt.calls).toBe(2);
  });

  it('handles a settled one again that the reconciler published again: the record of its outcome was lost', async () => {
    const tracker = new DeliveryTracker();
    const attempt = handler('settled');
    attempt.finish();
    await tracker.handleOnce(delivery(), attempt.handle);
    await tracker.handleOnce({ ...delivery(), republishedBy: 'rec_1' }, attempt.handle);
    expect(attempt.calls).toBe(2);
  });

  it('handles what the reconciler published again once for each reconciliation, however often its message comes', async () => {
    const tracker = new DeliveryTracker();
    const attempt = handler('settled');
    attempt.finish();
    for (const republishedBy of ['rec_1', 'rec_1', 'rec_2', 'rec_1', 'rec_2']) {
      await tracker.handleOnce({ ...delivery(), republishedBy }, attempt.handle);
    }
    await tracker.handleOnce(delivery(), attempt.handle);
    expect(attempt.calls).toBe(2);
  });

  it('handles a deferred one again when it comes back, however often', async () => {
    const tracker = new DeliveryTracker();
    const attempt = handler('deferred');
    attempt.finish();
    await tracker.handleOnce(delivery(), attempt.handle);
    await tracker.handleOnce(delivery({ deferrals: 1 }), attempt.handle);
    expect(attempt.calls).toBe(2);
  });

  it('does not lose a deferral that falls due before the deferral itself is confirmed', async () => {
    const tracker = new DeliveryTracker();
    const first = handler('deferred');
    const second = handler('settled');
    second.finish();
    const deferring = tracker.handleOnce(delivery(), first.handle);
    const due = tracker.handleOnce(delivery({ deferrals: 1 }), second.handle);
    first.finish();
    await Promise.all([deferring, due]);
    expect(second.calls).toBe(1);
  });

  it('joins a second copy of a deferral in flight', async () => {
    const tracker = new DeliveryTracker();
    const attempt = handler('deferred');
    const both = [1, 2].map(() => tracker.handleOnce(delivery({ deferrals: 1 }), attempt.handle));
    attempt.finish();
    await Promise.all(both);
    expect(attempt.calls).toBe(1);
  });

  it('forgets one whose handling failed, so that it is tried again', async () => {
    const tracker = new DeliveryTracker();
    await expect(tracker.handleOnce(delivery(), () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
    const attempt = handler('settled');
    attempt.finish();
    await tracker.handleOnce(delivery(), attempt.handle);
    expect(attempt.calls).toBe(1);
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { settled } from '../testing/fakes.js';
import { WaitingRoom } from './waiting-room.js';

const BOUND = 200;
const QUEUE = 'dispatcher.events';

/** Events that come to one queue's room; each leaves with all its deliveries at once. */
function stage() {
  const room = new WaitingRoom();
  const entered: number[] = [];
  const come = (event: number, deliveries: number, queue = QUEUE): void =>
    void Promise.resolve(room.enter(queue, deliveries)).then(() => entered.push(event));
  return { room, entered, come };
}

it('lets in events until their deliveries are as many as may wait, then the next as these leave', async () => {
  const { room, entered, come } = stage();
  for (let event = 0; event < 6; event++) come(event, 50);
  await settled();
  expect(entered).toEqual([0, 1, 2, 3]);
  room.leave(QUEUE, 1);
  await settled();
  expect(entered).toEqual([0, 1, 2, 3, 4]);
  room.leave(QUEUE, 49);
  await settled();
  expect(entered).toEqual([0, 1, 2, 3, 4]);
  room.leave(QUEUE, 1);
  await settled();
  expect(entered).toEqual([0, 1, 2, 3, 4, 5]);
});

it('of one queue is not filled by what came by another', async () => {
  const { entered, come } = stage();
  come(1, BOUND);
  come(2, 1);
  come(3, 1, 'dispatcher.events.bulk-0');
  await settled();
  expect(entered).toEqual([1, 3]);
});

it('lets in every event in its order, and never one more while it is full', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(sizes, async (events) => {
      const { room, entered, come } = stage();
      events.forEach((deliveries, event) => come(event, deliveries));
      for (let left = 0; left < events.length; left++) {
        await settled();
        const inside = events.slice(left, entered.length);
        const withoutTheLast = inside.slice(0, -1).reduce((sum, deliveries) => sum + deliveries, 0);
        expect(inside.length).toBeGreaterThan(0);
        expect(withoutTheLast).toBeLessThan(BOUND);
        room.leave(QUEUE, events[left]!);
      }
      expect(entered).toEqual(events.map((_, event) => event));
    }),
    { numRuns: 50 },
  );
});

import { expect, it } from 'vitest';
import type { Delivery } from './queries.js';
import { cancelledWhileOff } from './cancelled-while-off.js';

const OFF_SINCE = '2026-11-29T12:00:00.000Z';
const cancelled = (hour: number, accepted = 10): Delivery =>
  ({
    completed_at: `2026-11-29T${hour}:00:01.000Z`,
    accepted_at: `2026-11-29T${accepted}:00:00.000Z`,
  }) as Delivery;

it('counts what was cancelled since its endpoint is off, and nothing of an earlier time', () => {
  const items = [cancelled(13, 11), cancelled(12, 10), cancelled(11, 9)];
  expect(cancelledWhileOff({ items, next_cursor: null }, OFF_SINCE)).toEqual({
    count: 2,
    isLeast: false,
    from: '2026-11-29T10:00:00.000Z',
  });
});

it('leaves nothing out of what is sent again where there is more than it has read', () => {
  const items = [cancelled(13)];
  expect(cancelledWhileOff({ items, next_cursor: 'more' }, OFF_SINCE)).toEqual({
    count: 1,
    isLeast: true,
    from: undefined,
  });
});

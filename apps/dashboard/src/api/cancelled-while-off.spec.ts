import { expect, it } from 'vitest';
import type { Delivery } from './queries.js';
import { cancelledWhileOff } from './cancelled-while-off.js';

const OFF_SINCE = '2026-11-29T12:00:00.000Z';
const cancelled = (reason: string, hour: number, accepted = 10): Delivery =>
  ({
    reason,
    completed_at: `2026-11-29T${hour}:00:01.000Z`,
    accepted_at: `2026-11-29T${accepted}:00:00.000Z`,
  }) as Delivery;

it('counts what was cancelled because its endpoint is off, since it is, and nothing else', () => {
  const items = [
    cancelled('endpoint_disabled', 13, 11),
    cancelled('cancelled_by_owner', 13),
    cancelled('submission_erased', 13),
    cancelled('endpoint_disabled', 12, 10),
    cancelled('endpoint_disabled', 11, 9),
  ];
  expect(cancelledWhileOff({ items, next_cursor: null }, OFF_SINCE)).toEqual({
    count: 2,
    isLeast: false,
    from: '2026-11-29T10:00:00.000Z',
  });
});

it('leaves nothing out of what is sent again where there is more than it has read', () => {
  const items = [cancelled('endpoint_disabled', 13)];
  expect(cancelledWhileOff({ items, next_cursor: 'more' }, OFF_SINCE)).toEqual({
    count: 1,
    isLeast: true,
    from: undefined,
  });
});

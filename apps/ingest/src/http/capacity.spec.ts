import { expect, it } from 'vitest';
import { Capacity } from './capacity.js';

it('has room for so many requests and so many bytes, and gets it back', () => {
  const capacity = new Capacity(2, 100);
  expect([capacity.enter(60), capacity.enter(60), capacity.enter(40), capacity.enter(0)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  capacity.leave(60);
  expect([capacity.enter(61), capacity.enter(60)]).toEqual([false, true]);
});

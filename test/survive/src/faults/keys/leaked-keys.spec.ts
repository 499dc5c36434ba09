import { expect, it } from 'vitest';
import { urlAs } from './leaked-keys.js';

it('a service gets another user of the broker and keeps its way to it, through a proxy if it has one', () => {
  const [first, second] = urlAs('amqp://guest:guest@127.0.0.1:4711/%2Fa,amqp://127.0.0.1:4712', 'new', 'p').split(',');
  expect(first).toBe('amqp://new:p@127.0.0.1:4711/%2Fa');
  expect(second).toBe('amqp://new:p@127.0.0.1:4712');
});

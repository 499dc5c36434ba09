import { expect, it, vi } from 'vitest';
import type { OutgoingMessage } from '../publish/outgoing-message.js';
import { PublishFailed } from '../publish/publish-failed.js';
import { toQueue, type Destination } from '../destinations.js';
import { DONE, type IncomingMessage } from './verdict.js';
import { WriteMarks } from './write-marks.js';

const SOON = { timeout: 5_000, interval: 5 };
const incoming = (headers: IncomingMessage['headers'] = {}): IncomingMessage => ({
  queue: 'due',
  headers,
  body: Buffer.from('x'),
  redelivered: false,
  isOurs: () => true,
  routingKey: 'due',
});

function stage(confirm: () => Promise<void> = () => Promise.resolve()) {
  const published: { to: Destination; message: OutgoingMessage }[] = [];
  const publish = vi.fn((to: Destination, message: OutgoingMessage) => {
    published.push({ to, message });
    return confirm();
  });
  let finish = (_?: Error): void => undefined;
  const handle = vi.fn(
    () => new Promise<typeof DONE>((resolve, reject) => (finish = (error) => (error ? reject(error) : resolve(DONE)))),
  );
  const error = vi.fn();
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error };
  const marks = new WriteMarks('due', handle, { publish }, silent);
  return { marks, published, handle, error, finish: (failure?: Error) => finish(failure) };
}

it('the queue is marked at once and again while a message of it is in hand, and no longer', async () => {
  const { marks, published, finish } = stage();
  const handled = marks.handleMarked(incoming());
  expect(published).toEqual([{ to: toQueue('due'), message: expect.objectContaining({ body: Buffer.alloc(0) }) }]);
  await vi.waitFor(() => expect(published.length).toBeGreaterThan(2), SOON);
  finish();
  expect(await handled).toBe(DONE);
  const marked = published.length;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(published).toHaveLength(marked);
});

it('one mark at a time is under way, however many messages are in hand', async () => {
  const { marks, published } = stage(() => new Promise(() => undefined));
  for (let n = 0; n < 50; n++) void marks.handleMarked(incoming());
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(published).toHaveLength(1);
});

it('a mark that comes out of the queue is done with, unhandled and unmarked', async () => {
  const { marks, published, finish, handle } = stage();
  const handled = marks.handleMarked(incoming());
  finish();
  await handled;
  const { message } = published[0]!;
  expect(await marks.handleMarked(incoming(message.headers))).toBe(DONE);
  expect(handle).toHaveBeenCalledTimes(1);
  expect(published).toHaveLength(1);
});

it('a mark that the broker does not take is followed by another, and the message is handled all the same', async () => {
  const { marks, published, finish, error } = stage(() => Promise.reject(new PublishFailed('blocked', toQueue('due'))));
  const handled = marks.handleMarked(incoming());
  await vi.waitFor(() => expect(published.length).toBeGreaterThan(1), SOON);
  finish();
  expect(await handled).toBe(DONE);
  expect(error).not.toHaveBeenCalled();
});

it('a handler that fails fails as without marks', async () => {
  const { marks, finish } = stage();
  const handled = marks.handleMarked(incoming());
  finish(new Error('a bug'));
  await expect(handled).rejects.toThrow('a bug');
});

import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GatheredWrites } from './gathered-writes.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A connection, and what each write to its socket held. */
function stage() {
  const written: string[] = [];
  const socket = new Writable({
    write: (chunk: Buffer, _encoding, done) => (written.push(chunk.toString()), done()),
    writev: (chunks, done) => (written.push(chunks.map(({ chunk }) => String(chunk)).join('')), done()),
  });
  const writes = new GatheredWrites(socket);
  const send = (text: string, bytes = text.length): void => {
    writes.expect(bytes);
    socket.write(text);
  };
  return { written, socket, send };
}

it('sends a message at once that comes long enough after the one before', () => {
  const { written, send } = stage();
  for (const text of ['a', 'b', 'c']) {
    send(text);
    vi.advanceTimersByTime(2);
  }
  expect(written).toEqual(['a', 'b', 'c']);
});

it('sends messages that come soon after one another in one write, in their order, within 2 ms', () => {
  const { written, send } = stage();
  for (const text of ['a', 'b', 'c']) send(text);
  vi.advanceTimersByTime(1);
  send('d');
  expect(written).toEqual(['a']);
  vi.advanceTimersByTime(1);
  expect(written).toEqual(['a', 'bcd']);
  send('e');
  vi.advanceTimersByTime(2);
  expect(written).toEqual(['a', 'bcd', 'e']);
});

it('lets nothing wait behind large messages', () => {
  const { written, send } = stage();
  send('a');
  for (const text of ['b', 'c', 'd', 'e']) send(text, 8 * 1024);
  expect(written).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('ends with all that waits written', async () => {
  const { written, socket, send } = stage();
  for (const text of ['a', 'b']) send(text);
  await new Promise<void>((resolve) => socket.end(() => resolve()));
  vi.advanceTimersByTime(2);
  expect(written.join('')).toBe('ab');
});

import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { answerBrokenRequests } from './broken-request.js';

const errorOf = (code: string): NodeJS.ErrnoException => Object.assign(new Error('broken'), { code });
const asSocket = (stream: PassThrough): Socket => stream as unknown as Socket;

describe('a request that can not be read', () => {
  const answer = answerBrokenRequests('Nobody can read this.');

  it.each([
    ['HPE_INVALID_METHOD', 400],
    ['HPE_HEADER_OVERFLOW', 431],
    ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ])('gets for %s the status %d, in the head and in the document', async (code, status) => {
    const socket = new PassThrough();
    answer(errorOf(code), asSocket(socket));
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body)).toMatchObject({ status, detail: 'Nobody can read this.' });
  });

  it('is cut off if its caller does not hang up', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const socket = new PassThrough();
    answer(errorOf('ERR_HTTP_REQUEST_TIMEOUT'), asSocket(socket));
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(socket.destroyed).toBe(true);
  });

  it('gets no answer if nobody is there to read it', () => {
    const reset = new PassThrough();
    answer(errorOf('ECONNRESET'), asSocket(reset));
    const ended = new PassThrough();
    ended.end();
    answer(errorOf('HPE_INVALID_METHOD'), asSocket(ended));
    expect([reset.destroyed, ended.destroyed]).toEqual([true, true]);
    expect(reset.readableLength).toBe(0);
  });
});

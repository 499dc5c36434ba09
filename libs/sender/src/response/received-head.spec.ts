import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_HEADER_BYTES, ReceivedHead, type ReadHead } from './received-head.js';

const OK = 'HTTP/1.1 200 OK\r\n';

function read(...pieces: readonly (string | Uint8Array)[]): ReadHead | undefined {
  const head = new ReceivedHead();
  for (const piece of pieces) head.add(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : Buffer.from(piece));
  return head.readLeniently();
}

describe('the status line of an answer that the parser refused', () => {
  it.each([
    ['as it should be', OK, 200],
    ['without a reason', 'HTTP/1.1 429\r\n', 429],
    ['with an empty reason', 'HTTP/1.1 503 \r\n', 503],
    ['of HTTP/1.0', 'HTTP/1.0 204 No Content\r\n', 204],
    ['ended by a bare LF', 'HTTP/1.1 200 OK\n', 200],
    ['behind an empty line', `\r\n${OK}`, 200],
    ['behind interim answers', `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\n${OK}x: y`, 200],
  ])('counts %s', (_how, text, status) => expect(read(text)?.status).toBe(status));

  it.each([
    '',
    '\r\n',
    'HTTP/1.1 200 OK',
    'HTTP/1.1 200 OK\r',
    'HTTP/1.1 200 O\rK\r\n',
    'HTTP/1.1  200 OK\r\n',
    'HTTP/1.1\t200 OK\r\n',
    ' HTTP/1.1 200 OK\r\n',
    'HTTP/1.1 200OK\r\n',
    'HTTP/1.1 2000 OK\r\n',
    'HTTP/1.1 20 OK\r\n',
    'HTTP/1.1 000 OK\r\n',
    'HTTP/1.1 600 OK\r\n',
    'HTTP/2 200 OK\r\n',
    'HTTP/11 200 OK\r\n',
    'http/1.1 200 OK\r\n',
    'ICY 200 OK\r\n',
    'SSH-2.0-OpenSSH_9.6\r\n',
    `x\r\n${OK}`,
    'HTTP/1.1 100 Continue\r\n',
    `HTTP/1.1 100 Continue\r\n${OK}`,
    `HTTP/1.1 101 Switching Protocols\r\n\r\n${OK}`,
  ])('does not count as %j', (text) => expect(read(text)).toBeUndefined());

  it('counts however it is cut into pieces', () => {
    const bytes = Buffer.from(`${OK}retry-after: 30\r\n`);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(read(...pieces)).toEqual({ status: 200, headers: { 'retry-after': '30' } });
      }),
    );
    expect(read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))?.status).toBe(200);
  });

  it('is looked for in the first 64 KiB alone, so that nothing more is ever kept', () => {
    expect(read('\n'.repeat(MAX_HEADER_BYTES - OK.length) + OK)?.status).toBe(200);
    expect(read('\n'.repeat(MAX_HEADER_BYTES - OK.length + 1) + OK)).toBeUndefined();
  });

  it('is one from 200 to 599 or none, whatever bytes come', () => {
    const line = fc.constantFrom(OK, 'HTTP/1.1 100 Go\r\n', '\r\n', '\n', ' x\n', 'a: b\n', 'HTTP/1.1 999 X\n');
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.uint8Array({ maxLength: 20 }))), (pieces) => {
        const status = read(...pieces)?.status ?? 200;
        expect(status >= 200 && status <= 599).toBe(true);
      }),
    );
  });
});

describe('its headers', () => {
  it.each<[string, string, Record<string, string>]>([
    ['names in lower case, values without outer blanks', 'Retry-After: \t30 \r\n', { 'retry-after': '30' }],
    ['the first of several', 'a: 1\r\nA: 2\r\n', { a: '1' }],
    ['a blank before the colon', 'Retry-After : 30\r\n', { 'retry-after': '30' }],
    ['lines that end with a bare LF', 'a: 1\nb: 2\n', { a: '1', b: '2' }],
    ['a value that goes on in the next line', 'retry-after: 1\r\n 20\r\n', { 'retry-after': '1 20' }],
    ['what stands behind a line that is not readable', 'x-a: \u0001\r\n: y\r\nno colon\r\nb: 2\r\n', { b: '2' }],
    ['nothing of a line that was cut off', 'a: 1\r\nretry-after: 12', { a: '1' }],
    ['nothing of the body', 'a: 1\r\n\r\nb: 2\r\n', { a: '1' }],
    ['no value with a control character or a bare CR', 'a: 1\u0000\r\nb: 2\r3\r\nc: \u007f\r\n', {}],
  ])('are %s', (_what, lines, headers) => expect(read(OK + lines)?.headers).toEqual(headers));

  it('take no long time to read, whatever they are made of', () => {
    const began = performance.now();
    read('HTTP/1.1 102 \n\n'.repeat(MAX_HEADER_BYTES / 15));
    for (const filler of [' ', '\t ', 'a', ':', '\n', ' \n', 'a:\n', ': ', '\u0001']) {
      read(`${OK}a${filler.repeat(MAX_HEADER_BYTES)}\u0001\n`);
    }
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

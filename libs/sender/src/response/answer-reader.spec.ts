import { request } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnswerReader, type AnswerState } from './answer-reader.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

function readAll(pieces: readonly Buffer[], toHead = false): { state: AnswerState; reader: AnswerReader } {
  const reader = new AnswerReader(toHead);
  let state: AnswerState = 'incomplete';
  for (const piece of pieces) {
    if (state === 'incomplete') state = reader.read(piece);
    else reader.hasSurplus ||= piece.length > 0;
  }
  return { state, reader };
}

const read = (text: string, toHead = false) => readAll([latin1(text)], toHead);
const bodyOf = (reader: AnswerReader): string => reader.excerpt.read().excerpt;

describe('where an answer ends', () => {
  it.each<[string, string, string]>([
    ['with its length', 'content-length: 2\r\n\r\nok', 'ok'],
    ['with a length of nothing', 'content-length: 0\r\n\r\n', ''],
    ['with its last chunk', 'transfer-encoding: chunked\r\n\r\n1\r\no\r\n1;ext="a"\r\nk\r\n0\r\n\r\n', 'ok'],
    ['with its trailer', 'transfer-encoding: chunked\r\n\r\n2\r\nok\r\n000\r\nx: y\r\nz: \r\n\r\n', 'ok'],
    [
      'with chunks of a coding that is not undone',
      'Transfer-Encoding: gzip, Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      'ok',
    ],
  ])('%s', (_how, rest, body) => {
    for (const surplus of ['', 'HTTP']) {
      const { state, reader } = read(`${OK}${rest}${surplus}`);
      expect({ state, body: bodyOf(reader), surplus: reader.hasSurplus }).toEqual({
        state: 'ended',
        body,
        surplus: surplus !== '',
      });
    }
    expect(read(`${OK}${rest.slice(0, -1)}`).state).toBe('incomplete');
  });

  it.each([204, 304])('with its head, if it is a %d', (status) => {
    expect(read(`HTTP/1.1 ${status} X\r\n\r\n`).state).toBe('ended');
  });

  it('with its head after a HEAD, whatever length it tells', () => {
    expect(read(`${OK}content-length: 5\r\n\r\n`, true)).toMatchObject({
      state: 'ended',
      reader: { hasSurplus: false },
    });
    expect(read(`${OK}transfer-encoding: chunked\r\n\r\n5`, true).reader.hasSurplus).toBe(true);
  });

  it.each(['', 'connection: close\r\n', 'transfer-encoding: gzip\r\n'])(
    'with its connection where nothing tells (%j)',
    (field) => {
      const { state, reader } = read(`${OK}${field}\r\nok`);
      expect({ state, endsHere: reader.endsHere, body: bodyOf(reader) }).toEqual({
        state: 'incomplete',
        endsHere: true,
        body: 'ok',
      });
      expect(read(`${OK}content-length: 3\r\n\r\nok`).reader.endsHere).toBe(false);
      expect(read(OK).reader.endsHere).toBe(false);
    },
  );

  it.each([
    'content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n',
    'content-length: 2\r\ncontent-length: 2\r\n\r\n',
    'content-length: 2, 2\r\n\r\n',
    'content-length: +2\r\n\r\n',
    'content-length: 0x2\r\n\r\n',
    'content-length: 2 3\r\n\r\n',
    'content-length: \r\n\r\n',
    `content-length: ${'9'.repeat(16)}\r\n\r\n`,
  ])('is anybody’s guess: %j', (rest) => expect(read(OK + rest).state).toBe('broken'));

  it.each([
    'g\r\n',
    '-1\r\n',
    '0x1\r\n',
    ' 1\r\n',
    '1\n',
    '\r\n',
    '1\r\nab\r\n',
    '1\r\na\n',
    '123456789\r\n',
    '1;\u0000\r\n',
  ])('is never found behind a malformed chunk: %j', (chunk) =>
    expect(read(`${OK}transfer-encoding: chunked\r\n\r\n${chunk}`).state).toBe('cut'),
  );
});

describe('how long its connection may rest', () => {
  it.each<[string, string, number]>([
    ['1.1', '', Infinity],
    ['1.1', 'connection: keep-alive\r\n', Infinity],
    ['1.1', 'connection: x-close\r\n', Infinity],
    ['1.1', 'connection: close\r\n', 0],
    ['1.1', 'Connection: x, Close\r\n', 0],
    ['1.1', 'connection: x\r\nconnection: close\r\n', 0],
    ['1.0', '', 0],
    ['1.0', 'connection: Keep-Alive\r\n', Infinity],
    ['1.1', 'keep-alive: timeout=5\r\n', 4_000],
    ['1.1', 'keep-alive: max=10, timeout=2\r\n', 1_000],
    ['1.1', 'keep-alive: timeout=1\r\n', 0],
    ['1.1', 'keep-alive: max=100\r\n', Infinity],
  ])('HTTP/%s with %j', (version, field, ms) => {
    const { reader } = read(`HTTP/${version} 200 OK\r\n${field}content-length: 0\r\n\r\n`);
    expect(reader.answer?.restMs).toBe(ms);
  });
});

describe('an answer in pieces', () => {
  it.each([
    `${OK}retry-after: 30\r\ncontent-length: 5\r\n\r\nhello`,
    `\r\n${OK}transfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2;x\r\nlo\r\n0\r\nx: y\r\n\r\n`,
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\n${OK}content-length: 5\r\n\r\nhello`,
  ])('is the same however it is cut: %j', (text) => {
    const bytes = latin1(text);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const { state, reader } = readAll(at.slice(1).map((end, index) => bytes.subarray(at[index], end)));
        expect({ state, status: reader.answer?.status, body: bodyOf(reader), surplus: reader.hasSurplus }).toEqual({
          state: 'ended',
          status: 200,
          body: 'hello',
          surplus: false,
        });
      }),
    );
  });

  it.each(['SSH-2.0', '\u0000', 'HTTP/2', 'http/1.1', '\n', ' '])(
    'is known to be none by its first bytes: %j',
    (text) => expect(read(text).state).toBe('broken'),
  );

  it('shows its faults as soon as their line is complete', () => {
    expect(read(`${OK}x-a : b\r\n`).state).toBe('broken');
    expect(read(`${OK}x-a: b\n`).state).toBe('broken');
    expect(read(`${OK}x-a : b`).state).toBe('incomplete');
  });
});

describe('beside another strict parser', () => {
  let server: Server;
  let answer: Buffer;

  beforeAll(async () => {
    server = createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());

  /** What Node's client makes of the same bytes; undefined if it refuses them. */
  const asNodeReads = (bytes: Buffer): Promise<{ status: number; body: string } | undefined> =>
    new Promise((resolve) => {
      answer = bytes;
      const { port } = server.address() as AddressInfo;
      const asked = request({ port, host: '127.0.0.1', agent: false, method: 'POST', insecureHTTPParser: false });
      asked.on('error', () => resolve(undefined));
      asked.on('upgrade', (_response, socket) => (socket.destroy(), resolve(undefined)));
      asked.on('response', (response) => {
        const body: Buffer[] = [];
        response.on('error', () => resolve(undefined));
        response.on('data', (chunk: Buffer) => body.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(body).toString('latin1');
          resolve(response.complete ? { status: response.statusCode!, body: text } : undefined);
        });
      });
      asked.end();
    });

  const sound = fc.constantFrom(
    `${OK}content-length: 2\r\n\r\nok`,
    `${OK}x: y\r\nContent-Length:3\r\nz:\r\n\r\nabc`,
    `${OK}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    `${OK}Transfer-Encoding: chunked\r\n\r\n0A;a="b c"\r\n0123456789\r\n1;b=c;d\r\nx\r\n00\r\nx: y\r\n\r\n`,
    'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n',
    'HTTP/1.0 503\r\ncontent-length: 0\r\n\r\n',
    `HTTP/1.1 103 Hints\r\nlink: x\r\n\r\n${OK}content-length: 0\r\n\r\n`,
  );
  const change = fc.record({
    at: fc.nat(120),
    cut: fc.nat(2),
    put: fc.constantFrom(
      '',
      ...'\r|\n|\r\n| |\t|:|;|,|0|1|a|G|é|\0|\u007f|x: y\r\n|content-length: 2\r\n|\r\n\r\n'.split('|'),
    ),
  });
  const changed = (text: string, changes: readonly { at: number; cut: number; put: string }[]): Buffer =>
    latin1(changes.reduce((all, { at, cut, put }) => all.slice(0, at) + put + all.slice(at + cut), text));

  // The reverse need not hold: what is refused here costs a connection, and the status counts all the same.
  it('takes no answer for complete that the other one refuses, or reads otherwise', async () => {
    let complete = 0;
    await fc.assert(
      fc.asyncProperty(sound, fc.array(change, { maxLength: 2 }), async (text, changes) => {
        const bytes = changed(text, changes);
        const { state, reader } = readAll([bytes]);
        // With a surplus the connection is not used again, whatever else could be read in it.
        if (state !== 'ended' || reader.hasSurplus) return;
        complete += 1;
        const { excerpt, bytes: raw } = reader.excerpt.read();
        const body = raw === undefined ? excerpt : Buffer.from(raw, 'base64').toString('latin1');
        expect(await asNodeReads(bytes)).toEqual({ status: reader.answer?.status, body });
      }),
      { numRuns: 2_000 },
    );
    expect(complete).toBeGreaterThan(300);
  });
});

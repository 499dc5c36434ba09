import { gzipSync } from 'node:zlib';
import type { ErrorCode } from '@form-webhooks/domain';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Sender, SentAttempt } from './sender.js';
import { CertificateAuthority, type Identity } from './testing/certificates.js';
import { drip, ok, Receiver, writeForever, type Behaviour } from './testing/receivers.js';
import { aRequest, BODY, HOST, testSender } from './testing/test-sender.js';

const DEADLINE_MS = 1_500;
const BODY_WAIT_MS = 200;
/** For handshakes beside other spec files; a second deadline would take longer, and so would that for a body. */
const SLACK_MS = 1_000;
/** Another process may hold the CPU for longer than the slack; a real breach fails every time. */
const TIMED = { retry: 2 };

let authority: CertificateAuthority;
let identity: Identity;
let sender: Sender;
let receiver: Receiver;

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  identity = await authority.issue({ names: [HOST] });
  sender = testSender(authority.pem, { attemptTimeoutMs: DEADLINE_MS, bodyWaitMs: BODY_WAIT_MS });
});
afterAll(() => sender.close());
afterEach(() => receiver.close());

const sendTo = (to: Receiver): Promise<SentAttempt> => sender.send(aRequest(`https://${HOST}:${to.port}/hook`));
const overTls = async (behave: Behaviour): Promise<Receiver> => (receiver = await Receiver.overTls(identity, behave));
const overTcp = async (behave: Behaviour): Promise<Receiver> => (receiver = await Receiver.overTcp(behave));
const noSocketLeft = (): Promise<void> => {
  receiver.readOn();
  return vi.waitFor(() => expect(receiver.open.size).toBe(0));
};
const once =
  (raw: string): Behaviour =>
  (connection) =>
    connection.answer(raw);

describe('receivers that give no usable answer (rows 47 to 75)', TIMED, () => {
  it.each<[string, ErrorCode, Behaviour]>([
    ['row 49: never answers', 'timeout', (c) => c.onRequest(() => undefined)],
    ['row 49: never reads', 'timeout', (c) => c.socket.pause()],
    ['row 50: drips its status line', 'timeout', (c) => c.onRequest(() => drip(c.socket, 'HTTP/1.1 200 OK\r\n', 200))],
    [
      'row 52: sends an endless status line',
      'header_overflow',
      (c) => c.onRequest(() => (c.socket.write('HTTP/1.1 200 '), writeForever(c.socket, Buffer.alloc(4_096, 'a')))),
    ],
    [
      'row 65: breaks header syntax behind a status line that is not readable',
      'protocol',
      once('HTTP/1.1 2000 OK\r\nx-a : b\r\ncontent-length: 0\r\n\r\n'),
    ],
    [
      'row 65: breaks header syntax behind a status of 600',
      'protocol',
      once('HTTP/1.1 600 Oh\r\nx-a : b\r\ncontent-length: 0\r\n\r\n'),
    ],
    [
      'R4: floods with interim responses',
      'interim_flood',
      (c) => c.onRequest(() => writeForever(c.socket, Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)))),
    ],
    [
      'R4: sends nine interim responses, then 200',
      'interim_flood',
      once('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(9) + ok()),
    ],
    [
      'row 57: switches protocols',
      'unexpected_upgrade',
      once('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    ],
    ['row 57: answers a bare 101', 'unexpected_upgrade', once('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
    ['row 66: greets like SSH', 'protocol', (c) => c.socket.write('SSH-2.0-OpenSSH_9.6\r\n')],
    [
      'row 66: speaks HTTP/2',
      'protocol',
      (c) => c.socket.write(Buffer.from('00000604000000000000030000006400', 'hex')),
    ],
    ['R1: answers with status 0', 'protocol', once('HTTP/1.1 000 Zero\r\ncontent-length: 0\r\n\r\n')],
    ['R1: answers with status 600', 'protocol', once(ok(600))],
    ['R1: answers with status 999', 'protocol', once(ok(999))],
    ['row 75: closes a fresh connection before answering', 'reset', (c) => c.onRequest(() => c.socket.destroy())],
    ['row 75: resets a fresh connection', 'reset', (c) => c.onRequest(() => c.reset())],
    ['row 75: closes in the middle of the status line', 'reset', (c) => c.onRequest(() => c.socket.end('HTTP/1.1 2'))],
  ])('%s', async (_row, code, behave) => {
    const attempt = await sendTo(await overTls(behave));
    expect(attempt.error).toEqual({ code, message: expect.stringMatching(/^[A-Z].*\.$/) as string });
    expect(attempt).toMatchObject({
      result: { kind: 'error', code },
      response: null,
      resent: false,
      remoteAddress: '127.0.0.1',
    });
    expect(attempt.durationMs).toBeLessThan(DEADLINE_MS + SLACK_MS);
    expect(receiver.connections).toBe(1);
    await noSocketLeft();
  });

  it.each<[string, Behaviour]>([
    [
      'row 52: one endless header line',
      (c) =>
        c.onRequest(() => (c.socket.write('HTTP/1.1 200 OK\r\nx: '), writeForever(c.socket, Buffer.alloc(4_096, 'a')))),
    ],
    ['row 57: 101', once('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')],
  ])('does not wait for the deadline on %s', async (_row, behave) => {
    const attempt = await sendTo(await overTls(behave));
    expect(attempt.durationMs).toBeLessThan(DEADLINE_MS - 100);
  });

  it('row 47: a receiver that never speaks TLS is timed out in the handshake', async () => {
    const attempt = await sendTo(await overTcp(() => undefined));
    expect(attempt.error).toEqual({
      code: 'timeout',
      message: 'No complete answer within 1500 ms: the TLS handshake did not finish.',
    });
    expect(attempt.durationMs).toBeLessThan(DEADLINE_MS + SLACK_MS);
    await noSocketLeft();
  });

  it('row 51: a receiver that never reads a large body is timed out, and its connection is gone', async () => {
    const body = Buffer.alloc(16 * 1_048_576, 'a');
    const { port } = await overTls((c) => c.socket.pause());
    const attempt = await sender.send(aRequest(`https://${HOST}:${port}/`, { seal: () => ({ body, headers: {} }) }));
    expect(attempt.error).toEqual({
      code: 'timeout',
      message: 'No complete answer within 1500 ms: the receiver did not read the request.',
    });
    await noSocketLeft();
  });

  it('row 66: plain HTTP on the port gives tls_protocol', async () => {
    const attempt = await sendTo(await overTcp((c) => c.socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    expect(attempt.error?.code).toBe('tls_protocol');
    await noSocketLeft();
  });

  it('C8: a connection closed during the handshake gives tls', async () => {
    const attempt = await sendTo(await overTcp((c) => c.socket.once('data', () => c.socket.destroy())));
    expect(attempt.error?.code).toBe('tls');
    await noSocketLeft();
  });

  it('a refused connection gives connect, with no remote address', async () => {
    const { port } = await overTcp(() => undefined);
    await receiver.close();
    const attempt = await sender.send(aRequest(`https://${HOST}:${port}/`));
    expect(attempt).toMatchObject({ error: { code: 'connect' }, remoteAddress: null, response: null });
  });
});

describe('receivers whose status decides, whatever the body does (R1, R3)', TIMED, () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1_048_576));
  const withBody = (head: string, chunk: Buffer): Behaviour => {
    return (c) => c.onRequest(() => (c.socket.write(head), writeForever(c.socket, chunk)));
  };
  const chunked = 'transfer-encoding: chunked\r\n\r\n';
  const chunk = Buffer.from(`1000\r\n${'a'.repeat(4_096)}\r\n`);
  it.each<[string, number, Behaviour]>([
    [
      'row 58: 200 and 1 GB',
      200,
      withBody('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n', Buffer.alloc(65_536, 'a')),
    ],
    ['row 58: 200 and endless chunks', 200, withBody(`HTTP/1.1 200 OK\r\n${chunked}`, chunk)],
    ['row 59: 500 and endless chunks', 500, withBody(`HTTP/1.1 500 Oh\r\n${chunked}`, chunk)],
    ['row 61: 200 and a stalled body', 200, once('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab')],
    [
      'row 61: 200 and a dripping body',
      200,
      (c) =>
        c.onRequest(
          () => (
            c.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n'),
            drip(c.socket, 'a'.repeat(1_000), 20)
          ),
        ),
    ],
    [
      'row 62: 200 and a gzip bomb',
      200,
      (c) =>
        c.onRequest(
          () => (
            c.socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length * 100}\r\n\r\n`),
            writeForever(c.socket, bomb)
          ),
        ),
    ],
    [
      'row 63: 200 and a body cut by a close',
      200,
      (c) => c.onRequest(() => c.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab')),
    ],
    [
      'row 63: 200 and a chunk cut by a close',
      200,
      (c) => c.onRequest(() => c.socket.end(`HTTP/1.1 200 OK\r\n${chunked}a\r\nab`)),
    ],
    [
      'row 63: 200 and a body cut by a reset',
      200,
      (c) => c.onRequest(() => c.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab', () => c.reset())),
    ],
    ['R1: 200 and a malformed chunk', 200, once(`HTTP/1.1 200 OK\r\n${chunked}zz\r\n`)],
  ])('%s', async (_row, status, behave) => {
    const attempt = await sendTo(await overTls(behave));
    expect(attempt).toMatchObject({
      result: { kind: 'response', status },
      error: null,
      response: { status, truncated: true },
    });
    expect(attempt.response!.excerpt.length).toBeLessThanOrEqual(2_048);
    expect(attempt.durationMs).toBeLessThan(BODY_WAIT_MS + SLACK_MS);
    await noSocketLeft();
  });

  it.each<[string, string, Buffer]>([
    ['payload', chunked, chunk],
    ['an extension of a chunk', `${chunked}1`, Buffer.from(`;${'x'.repeat(4_000)}`)],
    ['zeros before a chunk', chunked, Buffer.alloc(4_096, '0')],
    ['a trailer', `${chunked}0\r\n`, Buffer.from('x: y\r\n')],
  ])('R3: reads 64 KiB of a body as it comes over the wire, be it %s', async (_what, head, endless) => {
    let written = 0;
    const patient = testSender(authority.pem, { bodyWaitMs: 5_000 });
    await overTls((c) =>
      c.onRequest(() => {
        c.socket.write(`HTTP/1.1 200 OK\r\n${head}`);
        writeForever(c.socket, endless);
        c.socket.once('close', () => (written = c.socket.bytesWritten));
      }),
    );
    const attempt = await patient.send(aRequest(`https://${HOST}:${receiver.port}/hook`));
    expect(attempt).toMatchObject({ result: { kind: 'response', status: 200 } });
    expect(attempt.durationMs).toBeLessThan(3_000);
    await noSocketLeft();
    // What the buffers of both sides of a loopback connection take at once.
    expect(written).toBeLessThan(16 * 1024 * 1024);
    patient.close();
  });

  it.each<[string, number, string, string]>([
    ['row 56: one 100 Continue, then 200', 200, 'HTTP/1.1 100 Continue\r\n\r\n' + ok(200, 'fine'), 'fine'],
    [
      'R4: eight interim responses, then 200',
      200,
      'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(8) + ok(200, 'fine'),
      'fine',
    ],
    ['row 62: plain text that claims to be gzip', 200, ok(200, 'plain', ['content-encoding: gzip']), 'plain'],
    ['row 69: 202', 202, ok(202), ''],
    ['row 69: 204', 204, 'HTTP/1.1 204 No Content\r\n\r\n', ''],
    ['row 69: 299', 299, ok(299, 'x'), 'x'],
    ['row 70: 300', 300, ok(300), ''],
    ['row 70: 304', 304, 'HTTP/1.1 304 Not Modified\r\n\r\n', ''],
    ['row 71: 401 with a challenge', 401, ok(401, 'no', ['www-authenticate: Basic realm="x"']), 'no'],
    ['row 71: 407', 407, ok(407, '', ['proxy-authenticate: Basic']), ''],
    ['row 72: 410', 410, ok(410), ''],
    ['R1: 404', 404, ok(404, 'nothing here'), 'nothing here'],
    ['R1: 503', 503, ok(503), ''],
  ])('%s: one request, and the connection can be used again', async (_row, status, raw, excerpt) => {
    await overTls(once(raw));
    for (const expected of [1, 2]) {
      const attempt = await sendTo(receiver);
      expect(attempt).toMatchObject({ result: { kind: 'response', status }, error: null, resent: false });
      expect(attempt.response).toMatchObject({ status, excerpt, truncated: false });
      expect(receiver.requests).toHaveLength(expected);
    }
    expect(receiver.connections).toBe(1);
  });

  it('row 80: an answer before the body was read counts, and the connection is not used again', async () => {
    const body = Buffer.alloc(16 * 1_048_576, 'a');
    const { port } = await overTls((c) => (c.socket.pause(), c.socket.write(ok(200, 'early'))));
    const attempt = await sender.send(aRequest(`https://${HOST}:${port}/`, { seal: () => ({ body, headers: {} }) }));
    expect(attempt).toMatchObject({ result: { status: 200 }, response: { excerpt: 'early' } });
    await noSocketLeft();
  });

  it.each(['https://127.0.0.1:1/x', 'http://good.com/', 'itself', '//evil', ''])(
    'row 70: a redirect to %j is recorded and not followed (E12)',
    async (location) => {
      await overTls((c) => c.answer(ok(307, '', [`location: ${location}`])));
      const attempt = await sendTo(receiver);
      expect(attempt).toMatchObject({ result: { kind: 'response', status: 307 }, response: { headers: { location } } });
      expect(receiver.requests).toHaveLength(1);
    },
  );

  it('rows 73, 74: Retry-After is handed on as the receiver wrote it, the first of several (R9)', async () => {
    await overTls(once(ok(429, '', ['retry-after: 120', 'retry-after: 9'])));
    const attempt = await sendTo(receiver);
    expect(attempt.result).toEqual({ kind: 'response', status: 429, retryAfter: '120' });
  });

  it('row 84: what is stored of a hostile body is safe for a database and a terminal (R6)', async () => {
    const hostile = Buffer.concat([Buffer.from('a\0b\u001b[31mc<script>\n\té\u009b'), Buffer.from([0xff, 0xfe])]);
    await overTls((c) =>
      c.onRequest(
        () => (c.socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${hostile.length}\r\n\r\n`), c.socket.write(hostile)),
      ),
    );
    const attempt = await sendTo(receiver);
    expect(attempt.response).toMatchObject({ excerpt: 'ab[31mc<script>\n\té\ufffd\ufffd', truncated: false });
    expect(attempt.response?.bytes).toBe(hostile.toString('base64'));
  });

  it('R3: keeps 2 KiB, never half a character, and says that there was more', async () => {
    const body = 'a' + 'é'.repeat(2_000);
    await overTls(once(ok(200, body)));
    const attempt = await sendTo(receiver);
    expect(attempt.response).toMatchObject({ excerpt: 'a' + 'é'.repeat(1_023), truncated: true });
    expect(attempt.response?.bytes).toBeUndefined();
  });

  it('R6: keeps a few response headers, never cookies', async () => {
    const headers = [
      'content-type: text/plain',
      'set-cookie: a=b',
      'server: x\u0080y',
      'x-request-id: ' + 'r'.repeat(600),
      'x-other: 1',
      'location: /x',
    ];
    await overTls(once(ok(200, '', headers)));
    const attempt = await sendTo(receiver);
    expect(attempt.response!.headers).toEqual({
      'content-type': 'text/plain',
      server: expect.stringMatching(/^x.*y$/) as string,
      'x-request-id': 'r'.repeat(512),
    });
  });

  it('C5: does not use a connection again on which unasked bytes came', async () => {
    await overTls(once(ok(200) + ok(200)));
    await sendTo(receiver);
    await noSocketLeft();
    await sendTo(receiver);
    expect(receiver.connections).toBe(2);
  });
});

describe('connections that died while idle (C3)', () => {
  /** Answers the first request of each connection, then does as told with the next one. */
  const thenOnReuse = (onReuse: (connectionNumber: number, close: () => void) => void): Behaviour => {
    return (c) =>
      c.onRequest((_request, count) => {
        if (count === 1) c.socket.write(ok());
        else onReuse(c.number, () => c.socket.destroy());
      });
  };

  it('rows 76, 77: sends once more on a fresh connection, with the same id and body', async () => {
    await overTls(thenOnReuse((_number, close) => close()));
    await sendTo(receiver);
    const attempt = await sendTo(receiver);
    expect(attempt).toMatchObject({ result: { kind: 'response', status: 200 }, resent: true });
    expect(receiver.connections).toBe(2);
    const [, second, third] = receiver.requests;
    expect(third!.body).toEqual(second!.body);
    expect(third!.headers.get('webhook-id')).toBe(second!.headers.get('webhook-id'));
  });

  it('row 78: gives up after exactly two sends', async () => {
    await overTls((c) =>
      c.onRequest((_request, count) => (c.number === 1 && count === 1 ? c.socket.write(ok()) : c.socket.destroy())),
    );
    await sendTo(receiver);
    const attempt = await sendTo(receiver);
    expect(attempt).toMatchObject({ error: { code: 'reset' }, resent: true });
    expect(receiver.requests).toHaveLength(3);
    await noSocketLeft();
  });

  it('does not send again once a byte of an answer came', async () => {
    await overTls((c) =>
      c.onRequest((_request, count) => (count === 1 ? c.socket.write(ok()) : c.socket.end('HTTP/1.1 2'))),
    );
    await sendTo(receiver);
    const attempt = await sendTo(receiver);
    expect(attempt).toMatchObject({ error: { code: 'reset' }, resent: false });
    expect(receiver.connections).toBe(1);
  });

  it('seals once, so that the timestamp and signature of both sends are the same', async () => {
    await overTls(thenOnReuse((_number, close) => close()));
    await sendTo(receiver);
    const seal = vi.fn(() => ({ body: BODY, headers: {} }));
    const attempt = await sender.send(aRequest(`https://${HOST}:${receiver.port}/`, { seal }));
    expect(attempt.resent).toBe(true);
    expect(seal).toHaveBeenCalledOnce();
    expect(seal).toHaveBeenCalledWith(attempt.timestamp);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Sender, SentAttempt } from './sender.js';
import { CertificateAuthority, type Identity } from './testing/certificates.js';
import { drip, ok, Receiver, type Behaviour, type Connection } from './testing/receivers.js';
import { aRequest, HOST, testSender } from './testing/test-sender.js';

const DEADLINE_MS = 1_500;
/** For handshakes beside other spec files; a second deadline would take longer. */
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
  sender = testSender(authority.pem, { attemptTimeoutMs: DEADLINE_MS });
});
afterAll(() => sender.close());
afterEach(() => receiver.close());

const sendTo = (to: Receiver): Promise<SentAttempt> => sender.send(aRequest(`https://${HOST}:${to.port}/hook`));
const overTls = async (behave: Behaviour): Promise<Receiver> => (receiver = await Receiver.overTls(identity, behave));
const noSocketLeft = (): Promise<void> => {
  receiver.readOn();
  return vi.waitFor(() => expect(receiver.open.size).toBe(0));
};
const once =
  (raw: string): Behaviour =>
  (connection) =>
    connection.answer(raw);

/** What is wrong behind a readable status line, and what is to be read of it all the same. */
const BROKEN_HEADS: readonly [row: string, head: string][] = [
  ['row 52: one endless header line', `x: ${'a'.repeat(200_000)}`],
  ['row 52: endless header lines', 'x-a: b\r\n'.repeat(30_000)],
  ['row 53: headers of 70 KB', `x-long: ${'a'.repeat(71_680)}\r\ncontent-length: 0\r\n\r\n`],
  ['row 65: content-length and transfer-encoding', 'content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['row 65: transfer-encoding and content-length', 'transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n0\r\n\r\n'],
  ['row 65: two content-lengths', 'content-length: 2\r\ncontent-length: 3\r\n\r\nok'],
  ['row 65: a content-length that is no number', 'content-length: -2\r\n\r\nok'],
  ['row 65: a content-length beyond all numbers', `content-length: ${'9'.repeat(30)}\r\n\r\nok`],
  ['row 65: a bare LF behind a header', 'x-a: b\ncontent-length: 0\n\n'],
  ['row 65: a blank before a colon', 'x-a : b\r\ncontent-length: 0\r\n\r\n'],
  ['row 65: a header without a colon', 'x-a\r\ncontent-length: 0\r\n\r\n'],
  ['row 65: a header without a name', ': b\r\ncontent-length: 0\r\n\r\n'],
  ['row 65: a CR in a header', 'x-a: b\rc\r\ncontent-length: 0\r\n\r\n'],
  ['row 65: 0x00 in a header', 'x-a: b\u0000c\r\ncontent-length: 0\r\n\r\n'],
  ['row 65: 0x01 in a header', 'x-a: b\u0001c\r\ncontent-length: 0\r\n\r\n'],
  ['row 65: 0x01 in a name', 'x-\u0001: b\r\ncontent-length: 0\r\n\r\n'],
];

describe('receivers that break their headers behind a readable status line (R1, row 85)', TIMED, () => {
  const broken = (status: number, head: string): Behaviour =>
    once(`HTTP/1.1 ${status} Status\r\nretry-after: 30\r\nset-cookie: a=b\r\n${head}`);

  it.each(BROKEN_HEADS)('%s: the status counts, Retry-After is read, the connection is gone', async (_row, head) => {
    for (const status of [200, 503]) {
      const attempt = await sendTo(await overTls(broken(status, head)));
      expect(attempt).toMatchObject({
        result: { kind: 'response', status, retryAfter: '30' },
        error: null,
        resent: false,
        remoteAddress: '127.0.0.1',
      });
      expect(attempt.response).toEqual({ status, headers: { 'retry-after': '30' }, excerpt: '', truncated: true });
      expect(attempt.durationMs).toBeLessThan(DEADLINE_MS - 100);
      expect(receiver.requests).toHaveLength(1);
      await noSocketLeft();
      if (status === 200) await receiver.close();
    }
  });

  it('row 65: a status line that ends with a bare LF counts', async () => {
    const attempt = await sendTo(await overTls(once('HTTP/1.1 200 OK\nretry-after: 30\ncontent-length: 0\n\n')));
    expect(attempt.result).toEqual({ kind: 'response', status: 200, retryAfter: '30' });
    await noSocketLeft();
  });

  it('reads Retry-After behind the fault as well, if it has come by then', async () => {
    await overTls(once('HTTP/1.1 429 Slow\r\nx-a : b\r\nRetry-After : 120\r\ncontent-length: 0\r\n\r\n'));
    expect((await sendTo(receiver)).result).toEqual({ kind: 'response', status: 429, retryAfter: '120' });
  });

  it('counts the final status behind interim answers', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(8);
    await overTls(once(`${hints}HTTP/1.1 202 Accepted\r\nx-a : b\r\n\r\n`));
    expect((await sendTo(receiver)).result).toEqual({ kind: 'response', status: 202 });
    await noSocketLeft();
  });

  it('counts a status line that came before the packet with the fault', async () => {
    await overTls((c) =>
      c.onRequest(() => {
        c.socket.write('HTTP/1.1 201 Created\r\nretry-after: 1\r\n');
        setTimeout(() => c.socket.write('x-a : b\r\n\r\n'), 50);
      }),
    );
    expect((await sendTo(receiver)).result).toEqual({ kind: 'response', status: 201, retryAfter: '1' });
    await noSocketLeft();
  });

  it.each<[string, (c: Connection) => void]>([
    ['closes', (c) => c.socket.end('HTTP/1.1 200 OK\r\nx-a: b\r\nretry-after: 12')],
    ['resets', (c) => c.socket.write('HTTP/1.1 200 OK\r\nx-a: b\r\nretry-after: 12', () => c.reset())],
    ['stalls', (c) => c.socket.write('HTTP/1.1 200 OK\r\nx-a: b\r\nretry-after: 12')],
    ['drips', (c) => (c.socket.write('HTTP/1.1 200 OK\r\n'), drip(c.socket, `x-a: ${'a'.repeat(1_000)}`, 20))],
  ])('row 85: one that %s in its headers has said its status; half a header is none', async (_what, act) => {
    const attempt = await sendTo(await overTls((c) => c.onRequest(() => act(c))));
    expect(attempt).toMatchObject({ result: { kind: 'response', status: 200 }, response: { truncated: true } });
    expect(attempt.result).not.toHaveProperty('retryAfter');
    expect(attempt.durationMs).toBeLessThan(DEADLINE_MS + SLACK_MS);
    await noSocketLeft();
  });

  it('C4: what such an answer is followed by is never taken for the next request’s answer', async () => {
    const two = `HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${ok(200, 'forged')}`;
    await overTls((c) => c.answer(c.number === 1 ? two : ok(503, 'genuine')));
    expect((await sendTo(receiver)).response).toMatchObject({ status: 200, excerpt: '', truncated: true });
    expect((await sendTo(receiver)).response).toMatchObject({ status: 503, excerpt: 'genuine' });
    expect(receiver.connections).toBe(2);
  });

  it.each([17, 60])('row 53: headers of %d KB are whole, and the connection can be used again', async (kilobytes) => {
    await overTls(once(ok(200, 'fine', [`x-long: ${'a'.repeat(kilobytes * 1_024)}`, 'x-request-id: r'])));
    for (const requests of [1, 2]) {
      const { response } = await sendTo(receiver);
      expect(response).toEqual({ status: 200, headers: { 'x-request-id': 'r' }, excerpt: 'fine', truncated: false });
      expect(receiver.requests).toHaveLength(requests);
    }
    expect(receiver.connections).toBe(1);
  });

  it('R6: keeps five headers and a redirect’s target at most, and little of each, however many come', async () => {
    const kept = ['content-type', 'date', 'server', 'retry-after', 'x-request-id', 'location'];
    const headers = [...kept, ...Array.from({ length: 500 }, (_, at) => `x-${at}`)];
    await overTls(
      once(
        ok(302, '', headers.map((name) => `${name}: ${'v'.repeat(name === 'location' ? 4_000 : 600)}`).slice(0, 80)),
      ),
    );
    const { response } = await sendTo(receiver);
    expect(Object.keys(response!.headers).sort()).toEqual(kept.toSorted());
    expect(JSON.stringify(response!.headers).length).toBeLessThan(5 * 512 + 2_048 + 200);
  });
});

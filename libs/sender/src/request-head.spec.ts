import type { Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ReceiverConnection } from './connection/receiver-connection.js';
import { requestHead } from './request-head.js';
import { requestTarget } from './request-target.js';
import type { Sender } from './sender.js';
import { CertificateAuthority, type Identity } from './testing/certificates.js';
import { ok, Receiver } from './testing/receivers.js';
import { aRequest, HOST, testSender } from './testing/test-sender.js';

let authority: CertificateAuthority;
let identity: Identity;
let sender: Sender;
let receiver: Receiver;

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  identity = await authority.issue({ names: [HOST] });
  sender = testSender(authority.pem);
});
afterAll(() => sender.close());
afterEach(() => receiver?.close());

const overTls = async (): Promise<Receiver> => (receiver = await Receiver.overTls(identity, (c) => c.answer(ok())));
const url = (): string => `https://${HOST}:${receiver.port}/hook`;
const sealed = { body: Buffer.from('{}'), headers: { 'X-Service-Signature': 'ab', 'webhook-id': 'dlv_1' } };

describe('the headers of a request', () => {
  it('come in one order: ours on the client, the owner’s, the signatures, the body’s, the connection’s', async () => {
    await overTls();
    const headers = { Authorization: 'Bearer é', 'User-Agent': 'not this one', 'X-Own': '' };
    await sender.send(aRequest(url(), { headers, seal: () => sealed }));
    expect([...receiver.requests[0]!.headers.entries()].map(([name, value]) => `${name}: ${value}`)).toEqual([
      'user-agent: form-webhooks-test',
      'accept-encoding: identity',
      'authorization: Bearer é',
      'x-own: ',
      'x-service-signature: ab',
      'webhook-id: dlv_1',
      'content-type: application/json',
      'content-length: 2',
      `host: ${HOST}:${receiver.port}`,
      'connection: keep-alive',
    ]);
  });

  it.each(['a\nb', 'a\0b', '€'])(
    'that can’t be written (%j) end the attempt, which opens no connection',
    async (value) => {
      await overTls();
      const attempt = await sender.send(aRequest(url(), { headers: { 'x-own': value } }));
      expect(attempt).toMatchObject({ error: { code: 'connect' }, remoteAddress: null, resent: false });
      expect(receiver.connections).toBe(0);
    },
  );
});

it('no name or value of a header can begin another line, or the body', () => {
  const target = requestTarget('https://good.com/');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
      const headers = { 'user-agent': 'x', 'accept-encoding': 'identity', [name.toLowerCase() || 'x-a']: value };
      let head: string;
      try {
        head = requestHead('POST', target, headers);
      } catch {
        return;
      }
      expect(head).toMatch(/^[^\r\n\0]+(?:\r\n[^\r\n\0]+)+\r\n\r\n$/);
      expect(head.split('\r\n').length).toBeLessThanOrEqual(8);
    }),
  );
});

describe('the target of a request', () => {
  it.each([
    ['https://good.com/', 'good.com', { host: 'good.com', port: 443, path: '/', isName: true }],
    ['https://good.com:8443/a?', 'good.com:8443', { host: 'good.com', port: 8443, path: '/a?', isName: true }],
    ['https://[::1]:1024/', '[::1]:1024', { host: '::1', port: 1024, path: '/', isName: false }],
    ['https://127.0.0.1/?a', '127.0.0.1', { host: '127.0.0.1', port: 443, path: '/?a', isName: false }],
  ])('%s', (href, authority, parts) => {
    expect(requestTarget(href)).toMatchObject({ authority, ...parts });
  });
});

it('a connection has no more listeners after many requests than after one', async () => {
  const attach = vi.spyOn(ReceiverConnection.prototype, 'attach');
  await overTls();
  const listeners = (socket: Socket): string[] =>
    socket.eventNames().map((name) => `${String(name)} ${socket.listenerCount(name)}`);
  await sender.send(aRequest(url()));
  const socket = attach.mock.calls[0]![0];
  const before = listeners(socket);
  for (let n = 0; n < 20; n++) await sender.send(aRequest(url()));
  expect(receiver.connections).toBe(1);
  expect(listeners(socket).sort()).toEqual(before.sort());
});

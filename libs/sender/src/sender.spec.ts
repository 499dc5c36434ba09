import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { AddressPolicy, signatureHeaders, type DeliveryId } from '@form-webhooks/domain';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Sender } from './sender.js';
import { CertificateAuthority, type Identity } from './testing/certificates.js';
import { ok, Receiver, type Behaviour } from './testing/receivers.js';
import { aRequest, BODY, fixedResolver, HOST, testSender } from './testing/test-sender.js';

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

const overTls = async (behave: Behaviour): Promise<Receiver> => (receiver = await Receiver.overTls(identity, behave));
const url = (path = '/hook'): string => `https://${HOST}:${receiver.port}${path}`;

describe('the request that a receiver gets (Q1, Q2)', () => {
  it('is exactly what was sealed, and what is recorded', async () => {
    await overTls((c) => c.answer(ok(200, 'thanks', ['content-type: text/plain'])));
    const seal = vi.fn((unixSeconds: number) => ({
      body: BODY,
      headers: signatureHeaders({
        secrets: [`whsec_${'A'.repeat(43)}=`],
        deliveryId: 'dlv_1' as DeliveryId,
        unixSeconds,
        body: BODY,
        signatureHeader: 'X-Service-Signature',
      }),
    }));
    const before = Date.now();
    const attempt = await sender.send({ url: url('/hook?x=1'), headers: { 'X-Service-Test': '1' }, seal });

    const [request] = receiver.requests;
    expect(request!.head).toBe('POST /hook?x=1 HTTP/1.1');
    expect(request!.body).toEqual(BODY);
    const { connection, ...headers } = Object.fromEntries(request!.headers);
    expect(connection).toBe('keep-alive');
    expect(attempt.requestHeaders).toEqual(headers);
    expect(Object.keys(headers).sort()).toEqual([
      'accept-encoding',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
      'x-service-signature',
      'x-service-test',
    ]);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(BODY.length),
      host: `${HOST}:${receiver.port}`,
    });

    expect(seal).toHaveBeenCalledExactlyOnceWith(attempt.timestamp);
    expect(attempt.timestamp).toBe(Math.floor(attempt.startedAt / 1_000));
    expect(attempt.startedAt).toBeGreaterThanOrEqual(before);
    expect(attempt).toMatchObject({
      result: { kind: 'response', status: 200 },
      response: { status: 200, headers: { 'content-type': 'text/plain' }, excerpt: 'thanks', truncated: false },
      error: null,
      remoteAddress: '127.0.0.1',
      resent: false,
    });
  });

  it.each([
    ['UTF-8', Buffer.from('{"a":"é😀"}')],
    ['bytes that are no text', Buffer.from([0xff, 0x00, 0xfe])],
    ['nothing', Buffer.alloc(0)],
    ['1 MiB', Buffer.alloc(1_048_576, 'x')],
  ])('carries %s unchanged', async (_what, body) => {
    await overTls((c) => c.answer(ok()));
    await sender.send(aRequest(url(), { seal: () => ({ body, headers: {} }) }));
    expect(receiver.requests[0]!.body.equals(body)).toBe(true);
    expect(receiver.requests[0]!.headers.get('content-length')).toBe(String(body.length));
    expect(receiver.requests[0]!.headers.has('transfer-encoding')).toBe(false);
  });

  it.each([
    '/a?',
    '/?',
    '/a/?',
    '/a?b',
    '/a?b=',
    '/a??',
    '/a?b?',
    '/a?b=c&b=c&&',
    '/a%3F',
    '//a//b',
    '/a;b?c+d%20e',
    '/%2e%2E/%61%C3%a4',
    '/a?x=%5B%5D[]{}|^`\'"<>',
    '/ä?ö',
  ])('asks for %s byte for byte as its URL is stored and shown (U9)', async (path) => {
    await overTls((c) => c.answer(ok()));
    const { href, origin } = new URL(url(path));
    await sender.send(aRequest(href));
    await sender.check(href);
    const target = href.slice(origin.length);
    expect(receiver.requests.map(({ head }) => head)).toEqual([`POST ${target} HTTP/1.1`, `HEAD ${target} HTTP/1.1`]);
  });

  it('goes to the canonical form of the URL (U9)', async () => {
    await overTls((c) => c.answer(ok()));
    await sender.send(aRequest(`https://HOOKS.good.com.:${receiver.port}/A b`));
    expect(receiver.requests[0]!.head).toBe('POST /A%20b HTTP/1.1');
    expect(receiver.requests[0]!.headers.get('host')).toBe(`${HOST}:${receiver.port}`);
  });

  it('records what would have been sent when nothing could be', async () => {
    const unresolved = testSender(authority.pem, {
      createResolver: () => fixedResolver({ [HOST]: { v4: 'ENOTFOUND', v6: 'ENOTFOUND' } }),
    });
    const attempt = await unresolved.send(aRequest(`https://${HOST}/`));
    expect(attempt).toMatchObject({
      error: { code: 'dns' },
      requestHeaders: { host: HOST, 'webhook-id': 'dlv_1' },
      remoteAddress: null,
    });
    const invalid = await unresolved.send(aRequest('nope'));
    expect(invalid).toMatchObject({
      result: { kind: 'error', code: 'invalid_url' },
      requestHeaders: { 'webhook-id': 'dlv_1' },
    });
    unresolved.close();
  });

  it('rejects only for its own bugs, such as a secret that does not open', async () => {
    const seal = (): never => {
      throw new Error('the secret does not open');
    };
    await expect(sender.send({ url: 'https://good.com/', seal })).rejects.toThrow('does not open');
  });
});

describe('the deadline (T1)', { retry: 2 }, () => {
  it.each(['a name', 'a literal'])('row 48: an address that never answers is timed out (%s)', async (kind) => {
    const deaf = await deafListener();
    const quick = testSender(authority.pem, { attemptTimeoutMs: 500 });
    const host = kind === 'a name' ? HOST : '127.0.0.1';
    const attempt = await quick.send(aRequest(`https://${host}:${deaf.port}/`));
    expect(attempt.error).toEqual({
      code: 'timeout',
      message: 'No complete answer within 500 ms: no connection could be made.',
    });
    expect(attempt.durationMs, 'no second deadline').toBeLessThan(950);
    quick.close();
    await deaf.close();
  });

  it('row 48: bound to a source address too, and from the next address in time', async () => {
    const deaf = await deafListener();
    const bound = { attemptTimeoutMs: 1_000, connectTimeoutMs: 200, sourceAddresses: ['127.0.0.5'] };
    const quick = testSender(authority.pem, bound);
    expect(await quick.send(aRequest(`https://${HOST}:${deaf.port}/`))).toMatchObject({ error: { code: 'timeout' } });
    quick.close();
    for (const sourceAddresses of [[], ['127.0.0.5']]) {
      const createResolver = () => fixedResolver({ [HOST]: { v4: ['127.0.0.1', '127.0.0.3'] } });
      const times = { ...bound, attemptTimeoutMs: 10_000 };
      const patient = testSender(authority.pem, { ...times, sourceAddresses, createResolver });
      const other = await Receiver.overTls(identity, (c) => c.answer(ok()), '127.0.0.3', deaf.port);
      const attempt = await patient.send(aRequest(`https://${HOST}:${deaf.port}/`));
      expect(attempt).toMatchObject({ result: { status: 200 }, remoteAddress: '127.0.0.3' });
      expect(attempt.durationMs).toBeGreaterThanOrEqual(200);
      patient.close();
      await other.close();
    }
    await deaf.close();
  });

  it('row 44: DNS that never answers is timed out, in words that say so, and asked no longer', async () => {
    const never = (): Promise<string[]> => new Promise(() => undefined);
    for (const sourceAddresses of [[], ['127.0.0.5']]) {
      const cancel = vi.fn();
      const quick = testSender(authority.pem, {
        attemptTimeoutMs: 200,
        createResolver: () => ({ resolve4: never, resolve6: never, cancel }),
        sourceAddresses,
      });
      const attempt = await quick.send(aRequest(`https://${HOST}/`));
      expect(attempt).toMatchObject({ error: { code: 'timeout' }, remoteAddress: null });
      if (sourceAddresses.length === 0) expect(attempt.error!.message).toContain('did not resolve');
      await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1));
      quick.close();
    }
  });

  it('covers the body too: a status that comes late leaves less time for it', async () => {
    const quick = testSender(authority.pem, { attemptTimeoutMs: 2_000, bodyWaitMs: 10_000 });
    await overTls((c) =>
      c.onRequest(() => setTimeout(() => c.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'), 1_000)),
    );
    const attempt = await quick.send(aRequest(url()));
    expect(attempt).toMatchObject({ result: { status: 200 }, response: { excerpt: 'ab', truncated: true } });
    expect(attempt.durationMs, 'no second deadline').toBeLessThan(2_900);
    quick.close();
  });
});

describe('stopping', () => {
  it('gives up on a signal, with an outcome that is never a success', async () => {
    await overTls((c) => c.onRequest(() => undefined));
    const stop = new AbortController();
    const attempts = Array.from({ length: 20 }, () => sender.send(aRequest(url()), stop.signal));
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(20));
    stop.abort();
    for (const attempt of await Promise.all(attempts))
      expect(attempt.result).toEqual({ kind: 'error', code: 'aborted' });
    await vi.waitFor(() => expect(receiver.open.size).toBe(0));
    expect(await sender.send(aRequest(url()), stop.signal)).toMatchObject({ error: { code: 'aborted' } });
    expect(receiver.requests).toHaveLength(20);
  });

  it('keeps a status that had already arrived', async () => {
    await overTls((c) => c.answer('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab'));
    const stop = new AbortController();
    const patient = testSender(authority.pem, { bodyWaitMs: 2_000 });
    const attempt = patient.send(aRequest(url()), stop.signal);
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1));
    setTimeout(() => stop.abort(), 100);
    expect(await attempt).toMatchObject({ result: { kind: 'response', status: 200 } });
    patient.close();
  });

  it.each([[[]], [['127.0.0.5']]])(
    'closes what runs, what is being connected and what idles (source addresses %j)',
    async (sourceAddresses) => {
      await overTls((c) => c.onRequest((request) => void (request.head.includes('/idle') && c.socket.write(ok()))));
      const closing = testSender(authority.pem, { sourceAddresses });
      await Promise.all([1, 2, 3].map(() => closing.send(aRequest(url('/idle')))));
      const running = closing.send(aRequest(url('/never')));
      await vi.waitFor(() => expect(receiver.requests).toHaveLength(4));
      const deaf = await deafListener();
      const connecting = closing.send(aRequest(`https://${HOST}:${deaf.port}/`));
      closing.close();
      expect(await running).toMatchObject({ error: { code: 'aborted' } });
      expect(await connecting).toMatchObject({ error: { code: 'aborted' } });
      await vi.waitFor(() => expect(receiver.open.size).toBe(0));
      expect(await closing.send(aRequest(url()))).toMatchObject({ error: { code: 'aborted' } });
      await deaf.close();
    },
  );
});

describe('connections (C1)', () => {
  it('are kept for the next attempts, many at once', async () => {
    await overTls((c) => c.answer(ok()));
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 30 }, () => sender.send(aRequest(url()))));
    expect(receiver.connections).toBe(30);
  });

  it('are not cut while an attempt runs for longer than an idle connection is kept', async () => {
    const patient = testSender(authority.pem, { attemptTimeoutMs: 10_000 });
    await overTls((c) => c.onRequest(() => setTimeout(() => c.socket.write(ok()), 4_200)));
    expect(await patient.send(aRequest(url()))).toMatchObject({ result: { status: 200 } });
    patient.close();
  }, 15_000);

  it('honour a receiver’s own time-out hint', async () => {
    await overTls((c) => c.answer(ok(200, '', ['keep-alive: timeout=1'])));
    await sender.send(aRequest(url()));
    await vi.waitFor(() => expect(receiver.open.size).toBe(0));
  });

  it('are not kept beyond 60 s, so that DNS changes take effect', async () => {
    await overTls((c) => c.answer(ok()));
    await sender.send(aRequest(url()));
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 61_000);
    await sender.send(aRequest(url()));
    clock.mockRestore();
    await vi.waitFor(() => expect(receiver.open.size).toBe(0));
    await sender.send(aRequest(url()));
    expect(receiver.connections).toBe(2);
  });
});

// Another process may hold the CPU until the deadline of an attempt; a real breach fails every time.
describe('what the parts of an attempt took (R13)', { retry: 2 }, () => {
  const SLOW_MS = 60;
  const slowly = async (addresses: string[]): Promise<string[]> => {
    await delay(SLOW_MS);
    return addresses;
  };
  const WITHOUT_CONNECTION = { dnsMs: null, connectMs: null, tlsMs: null };

  it.each([[[]], [['127.0.0.5']]])(
    'is told of each, one after the other (source addresses %j)',
    async (sourceAddresses) => {
      const slow = testSender(authority.pem, {
        sourceAddresses,
        createResolver: () => ({
          resolve4: () => slowly(['127.0.0.1']),
          resolve6: () => slowly([]),
          cancel: () => undefined,
        }),
      });
      await overTls((c) => c.onRequest(() => setTimeout(() => c.socket.write(ok()), SLOW_MS)));
      const { timings, durationMs } = await slow.send(aRequest(url()));
      const { dnsMs, connectMs, tlsMs, firstByteMs } = timings!;
      expect(dnsMs).toBeGreaterThan(SLOW_MS - 10);
      expect(connectMs).toBeGreaterThanOrEqual(0);
      expect(tlsMs).toBeGreaterThanOrEqual(0);
      expect(firstByteMs).toBeGreaterThan(SLOW_MS - 10);
      // Each is rounded by itself.
      expect(dnsMs! + connectMs! + tlsMs! + firstByteMs!).toBeLessThanOrEqual(durationMs + 4);
      slow.close();
    },
  );

  it.each([[[]], [['127.0.0.5']]])(
    'is told up to where the attempt ended, also without a connection (source addresses %j)',
    async (sourceAddresses) => {
      const deaf = await deafListener();
      const slow = testSender(authority.pem, {
        ...{ sourceAddresses, attemptTimeoutMs: 500 },
        createResolver: () => ({
          resolve4: () => slowly(['127.0.0.1']),
          resolve6: () => slowly([]),
          cancel: () => undefined,
        }),
      });
      const { timings } = await slow.send(aRequest(`https://${HOST}:${deaf.port}/`));
      expect(timings).toEqual({ ...WITHOUT_CONNECTION, dnsMs: expect.any(Number) as number, firstByteMs: null });
      expect(timings!.dnsMs).toBeGreaterThan(SLOW_MS - 10);
      slow.close();
      await deaf.close();
    },
  );

  it('has no connection in it where one was open already', async () => {
    await overTls((c) => c.onRequest(() => setTimeout(() => c.socket.write(ok()), SLOW_MS)));
    await sender.send(aRequest(url()));
    const { timings } = await sender.send(aRequest(url()));
    expect(timings).toEqual({ ...WITHOUT_CONNECTION, firstByteMs: expect.any(Number) as number });
    expect(timings!.firstByteMs).toBeGreaterThan(SLOW_MS - 10);
  });

  it('ends where the attempt has failed, and is of the connection that was used last', async () => {
    await overTls((c) => c.onRequest((_request, count) => (count === 2 ? c.reset() : c.socket.write(ok()))));
    const resent = [await sender.send(aRequest(url())), await sender.send(aRequest(url()))][1]!;
    expect(resent).toMatchObject({ resent: true, timings: { tlsMs: expect.any(Number) as number } });
    const [, wrongName] = [await receiver.close(), await overTls((c) => c.answer(ok()))];
    const literal = await sender.send(aRequest(`https://127.0.0.1:${wrongName.port}/`));
    expect(literal).toMatchObject({
      error: { code: 'tls_name_mismatch' },
      timings: { ...WITHOUT_CONNECTION, connectMs: expect.any(Number) as number, firstByteMs: null },
    });
  });

  it('tells nothing of an address that is not allowed, and of what was not sent', async () => {
    const strict = testSender(authority.pem, { addressPolicy: new AddressPolicy() });
    await overTls((c) => c.answer(ok()));
    expect(await strict.send(aRequest(url()))).toMatchObject({ error: { code: 'address_not_allowed' }, timings: null });
    expect((await strict.send(aRequest('nope'))).timings).toBeNull();
    strict.close();
  });
});

describe('the URL check', () => {
  it('is one unsigned HEAD without body, and any final status but 3xx proves that the receiver responds', async () => {
    for (const status of [200, 204, 404, 405, 410, 500, 503]) {
      await overTls((c) => c.answer(`HTTP/1.1 ${status} X\r\ncontent-length: 5\r\n\r\n`));
      expect(await sender.check(url())).toEqual({ ok: true, status });
      expect(receiver.requests).toHaveLength(1);
      expect(receiver.requests[0]!.head).toBe('HEAD /hook HTTP/1.1');
      expect([...receiver.requests[0]!.headers.keys()].sort()).toEqual([
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ]);
      await receiver.close();
    }
  });

  it('accepts a receiver that wrongly answers a HEAD with a body', async () => {
    await overTls((c) => c.answer(ok(200, 'a body that should not be there')));
    expect(await sender.check(url())).toEqual({ ok: true, status: 200 });
  });

  it('refuses a redirect and says where it leads', async () => {
    await overTls((c) => c.answer(ok(301, '', ['location: https://www.good.com/hook'])));
    const check = await sender.check(url());
    expect(check).toMatchObject({ ok: false, code: 'redirect' });
    expect((check as { message: string }).message).toContain('301 to https://www.good.com/hook');
  });

  it.each<[string, string, Behaviour]>([
    ['connect', 'resets', (c) => c.onRequest(() => c.socket.destroy())],
    ['connect', 'answers nonsense', (c) => c.answer('nonsense\r\n\r\n')],
    ['connect', 'floods', (c) => c.answer('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20))],
    ['connect', 'switches protocols', (c) => c.answer('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')],
    ['connect', 'answers 999', (c) => c.answer(ok(999))],
    ['timeout', 'hangs', (c) => c.onRequest(() => undefined)],
  ])('says %s when the receiver %s', async (code, _what, behave) => {
    const quick = testSender(authority.pem, code === 'timeout' ? { attemptTimeoutMs: 300 } : {});
    await overTls(behave);
    expect(await quick.check(url())).toEqual({
      ok: false,
      code,
      message: expect.stringMatching(/^[A-Z].*\.$/) as string,
    });
    await vi.waitFor(() => expect(receiver.open.size).toBe(0));
    quick.close();
  });

  it('says tls, connect, not_https, invalid_url and address_not_allowed', async () => {
    const names = { 'gone.good.com': { v4: 'ENOTFOUND', v6: 'ENOTFOUND' }, 'inner.good.com': { v4: ['10.0.0.1'] } };
    const checking = testSender(authority.pem, { createResolver: () => fixedResolver(names) });
    await overTls((c) => c.answer(ok()));
    const { port } = receiver;
    expect(await checking.check(`https://other.good.com:${port}/`)).toMatchObject({ code: 'tls' });
    const inner = await checking.check(`https://inner.good.com:${port}/`);
    expect(inner).toMatchObject({ code: 'address_not_allowed' });
    expect(await checking.check(`https://gone.good.com:${port}/`), 'nobody learns which names exist').toEqual(inner);
    expect(await checking.check(`https://10.0.0.1:${port}/`)).toMatchObject({ code: 'address_not_allowed' });
    expect(await checking.check(`http://${HOST}:${port}/`)).toMatchObject({ code: 'not_https' });
    expect(await checking.check('nope')).toMatchObject({ code: 'invalid_url' });
    await receiver.close();
    expect(await checking.check(`https://${HOST}:${port}/`)).toMatchObject({ code: 'connect' });
    checking.close();
  });
});

describe('options', () => {
  it.each([
    { attemptTimeoutMs: 0 },
    { attemptTimeoutMs: Number.NaN },
    { resolveCacheMs: 30_001 },
    { sourceAddresses: ['eth0'] },
  ])('refuses %j', (overrides) => expect(() => testSender('', overrides)).toThrow(RangeError));

  it('sends to nothing private unless told otherwise', async () => {
    const strict = testSender(authority.pem, { addressPolicy: new AddressPolicy() });
    await overTls((c) => c.answer(ok()));
    expect(await strict.send(aRequest(url()))).toMatchObject({ error: { code: 'address_not_allowed' } });
    expect(receiver.connections).toBe(0);
    strict.close();
  });
});

/** A listener with a full backlog: the kernel drops further SYNs, like a firewall that drops packets. */
async function deafListener(): Promise<{ port: number; close: () => Promise<void> }> {
  const worker = new Worker(
    `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       require('node:worker_threads').parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true },
  );
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const fillers: Socket[] = [];
  await vi.waitFor(async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    fillers.push(socket);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(socket.connecting).toBe(true);
  });
  return {
    port,
    close: async () => {
      for (const socket of fillers) socket.destroy();
      await worker.terminate();
    },
  };
}

import { AddressPolicy, parseCidrs } from '@form-webhooks/domain';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { GuardedConnector } from './connection/guarded-connector.js';
import { PermittedAddresses, type DeniedConnection } from './permitted-addresses.js';
import { requestTarget } from './request-target.js';
import type { Sender } from './sender.js';
import { CertificateAuthority, type Identity } from './testing/certificates.js';
import { ok, Receiver } from './testing/receivers.js';
import { aRequest, fixedResolver, HOST, testSender } from './testing/test-sender.js';
import { createTrust } from './connection/trusted-roots.js';

let authority: CertificateAuthority;
let identity: Identity;
let receiver: Receiver;
let elsewhere: Receiver;
const senders: Sender[] = [];
const denied: DeniedConnection[] = [];

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  identity = await authority.issue({ names: [HOST], addresses: ['127.0.0.1', '::1'] });
});
beforeEach(async () => {
  receiver = await Receiver.overTls(identity, (c) => c.answer(ok()));
  elsewhere = await Receiver.overTls(identity, (c) => c.answer(ok()), '127.0.0.2');
});
afterEach(async () => {
  denied.length = 0;
  await receiver.close();
  await elsewhere.close();
});
afterAll(() => senders.forEach((sender) => sender.close()));

function aSender(overrides: Parameters<typeof testSender>[1]): Sender {
  const sender = testSender(authority.pem, { onDenied: (info) => denied.push(info), ...overrides });
  senders.push(sender);
  return sender;
}

/** Everything on loopback but this one address is allowed: it stands for what must not be reached. */
const allButForbidden = (): AddressPolicy =>
  new AddressPolicy({ allow: parseCidrs('127.0.0.0/8,::1'), deny: parseCidrs('127.0.0.2') });

describe('what the guarded connector refuses to dial (B)', () => {
  const connectorWith = (policy: AddressPolicy): GuardedConnector => {
    const onDenied = (info: DeniedConnection): void => void denied.push(info);
    const addresses = new PermittedAddresses({
      createResolver: () => fixedResolver({}),
      policy,
      allowedHosts: [],
      cacheMs: 0,
      onDenied,
    });
    return new GuardedConnector({
      addresses,
      policy,
      trust: createTrust(authority.pem),
      sourceAddresses: [],
      connectTimeoutMs: 500,
      attemptTimeoutMs: 2_000,
      onDenied,
    });
  };
  /** The error that keeps a connection from being made; undefined once it is ready. */
  const dial = (connector: GuardedConnector, url: string): Promise<unknown> =>
    new Promise((resolve) => {
      const connection = connector.open(requestTarget(url), () => undefined);
      const onReady = (): void => {
        connection.destroy();
        resolve(undefined);
      };
      connection.giveTo({ onReady, onBytes: () => undefined, onGone: resolve });
    });

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '127.0.0.1.',
    HOST,
  ])('rows 3 to 14, 37: opens no connection for https://%s even if it were stored', async (host) => {
    const connector = connectorWith(new AddressPolicy());
    const outcome = await dial(connector, `https://${host}:${receiver.port}/`);
    expect(outcome).toBeInstanceOf(Error);
    expect((outcome as Error).constructor.name).toBe('AddressNotAllowed');
    expect(denied).toHaveLength(1);
    expect(receiver.connections).toBe(0);
  });

  it('E9: closes a connection whose real address is not permitted before a byte is sent', async () => {
    const policy = allButForbidden();
    const connector = connectorWith(policy);
    vi.spyOn(policy, 'permits').mockReturnValueOnce(true).mockReturnValue(false);
    const bytes: Buffer[] = [];
    const raw = await Receiver.overTcp((c) => c.socket.on('data', (chunk: Buffer) => bytes.push(chunk)));
    const outcome = await dial(connector, `https://${HOST}:${raw.port}/`);
    expect((outcome as Error).constructor.name).toBe('AddressNotAllowed');
    await vi.waitFor(() => expect(raw.open.size).toBe(0));
    expect(bytes).toEqual([]);
    await raw.close();
  });

  it('C6: verification is always on', async () => {
    const connector = connectorWith(allButForbidden());
    const strangers = await CertificateAuthority.create('CN=Unknown');
    const stranger = await Receiver.overTls(await strangers.issue({ names: [HOST] }), (c) => c.answer(ok()));
    expect(await dial(connector, `https://${HOST}:${stranger.port}/`)).toMatchObject({
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
    await stranger.close();
  });
});

describe('names that lead where they must not (E5, E6, E11)', () => {
  const resolvesTo = (v4: string[] | string, v6: string[] | string = []): Sender =>
    aSender({ addressPolicy: allButForbidden(), createResolver: () => fixedResolver({ [HOST]: { v4, v6 } }) });

  it.each<[string, string[], string[]]>([
    ['row 37', ['10.0.0.1'], []],
    ['row 40', [], ['::ffff:169.254.169.254']],
    ['row 41', ['192.168.0.1'], []],
    ['E6', ['127.0.0.2'], ['fd00::1', 'fe80::1']],
  ])('%s: sends nothing and tells the owner no address', async (_row, v4, v6) => {
    const attempt = await resolvesTo(v4, v6).send(aRequest(`https://${HOST}:${elsewhere.port}/`));
    expect(attempt).toMatchObject({
      result: { kind: 'error', code: 'address_not_allowed' },
      response: null,
      remoteAddress: null,
      resent: false,
    });
    expect(attempt.error!.message).not.toMatch(/\d/);
    expect(denied).toEqual([{ host: HOST, addresses: [...v4, ...v6] }]);
    expect(elsewhere.connections).toBe(0);
  });

  it('row 39: connects only to the permitted one of several answers', async () => {
    const attempt = await resolvesTo(['127.0.0.2', '10.0.0.5', '127.0.0.1']).send(
      aRequest(`https://${HOST}:${receiver.port}/`),
    );
    expect(attempt).toMatchObject({ result: { status: 200 }, remoteAddress: '127.0.0.1' });
    expect(elsewhere.connections).toBe(0);
    expect(denied).toEqual([]);
  });

  it('row 38: a name that is rebound finds nothing, because each connection resolves exactly once', async () => {
    const resolve4 = vi
      .fn<(name: string) => Promise<string[]>>()
      .mockResolvedValueOnce(['127.0.0.1'])
      .mockResolvedValue(['127.0.0.2']);
    const sender = aSender({
      addressPolicy: allButForbidden(),
      createResolver: () => ({ resolve4, resolve6: async () => [], cancel: () => undefined }),
    });
    const closing = await Receiver.overTls(identity, (c) => c.answer(ok(200, '', ['connection: close'])));
    const url = `https://${HOST}:${closing.port}/`;
    expect(await sender.send(aRequest(url))).toMatchObject({ result: { status: 200 } });
    expect(resolve4).toHaveBeenCalledTimes(1);
    expect(await sender.send(aRequest(url))).toMatchObject({ error: { code: 'address_not_allowed' } });
    expect(resolve4).toHaveBeenCalledTimes(2);
    expect(closing.connections).toBe(1);
    expect(elsewhere.connections).toBe(0);
    await closing.close();
  });

  it.each([
    'https://127.0.0.2:1/',
    'https://[::ffff:127.0.0.1]/',
    'https://10.0.0.1/',
    'https://localhost/',
    'https://good.com:22/',
  ])('U1 to U8 hold again before each attempt: %s', async (url) => {
    const attempt = await aSender({ addressPolicy: allButForbidden() }).send(aRequest(url));
    expect(attempt).toMatchObject({ result: { kind: 'error', code: 'address_not_allowed' }, remoteAddress: null });
  });

  it('sends nothing to http:// and says so in a code of its own', async () => {
    const attempt = await aSender({}).send(aRequest(`http://${HOST}:${receiver.port}/`));
    expect(attempt.result).toEqual({ kind: 'error', code: 'not_https' });
    expect(receiver.connections).toBe(0);
  });
});

describe('receivers with several addresses (E7, C10)', () => {
  const port = (): number => receiver.port;

  it('tries the permitted addresses in turn when one refuses', async () => {
    const sender = aSender({
      createResolver: () => fixedResolver({ [HOST]: { v4: ['127.0.0.8', '127.0.0.9', '127.0.0.1'], v6: ['::1'] } }),
    });
    const attempt = await sender.send(aRequest(`https://${HOST}:${port()}/`));
    expect(attempt).toMatchObject({ result: { status: 200 }, remoteAddress: '127.0.0.1' });
  });

  it('reaches a receiver that has only an IPv6 address, and an IPv6 literal', async () => {
    const six = await Receiver.overTls(identity, (c) => c.answer(ok()), '::1');
    const sender = aSender({ createResolver: () => fixedResolver({ [HOST]: { v4: 'ENODATA', v6: ['::1'] } }) });
    expect(await sender.send(aRequest(`https://${HOST}:${six.port}/`))).toMatchObject({
      remoteAddress: '::1',
      result: { status: 200 },
    });
    expect(await sender.send(aRequest(`https://[::1]:${six.port}/`))).toMatchObject({
      remoteAddress: '::1',
      result: { status: 200 },
    });
    await six.close();
  });

  it('binds to the source addresses in turn, and verifies the certificate all the same', async () => {
    const sources: (string | undefined)[] = [];
    const closing = await Receiver.overTls(
      identity,
      (c) => (sources.push(c.socket.remoteAddress), c.answer(ok(200, '', ['connection: close']))),
    );
    const sender = aSender({ sourceAddresses: ['127.0.0.5', '127.0.0.6'] });
    for (let i = 0; i < 2; i++) {
      const attempt = await sender.send(aRequest(`https://${HOST}:${closing.port}/`));
      expect(attempt).toMatchObject({ result: { status: 200 }, remoteAddress: '127.0.0.1' });
    }
    expect(sources).toEqual(['127.0.0.5', '127.0.0.6']);
    await closing.close();
    const other = await Receiver.overTls(await authority.issue({ names: ['other.com'] }), (c) => c.answer(ok()));
    expect(await sender.send(aRequest(`https://${HOST}:${other.port}/`))).toMatchObject({
      error: { code: 'tls_name_mismatch' },
    });
    await other.close();
  });

  it('falls back to the next address, and never leaves the policy, when bound to a source address', async () => {
    const bound = { sourceAddresses: ['127.0.0.5'], addressPolicy: allButForbidden() };
    const several = aSender({
      ...bound,
      createResolver: () => fixedResolver({ [HOST]: { v4: ['127.0.0.2', '127.0.0.8', '127.0.0.1'], v6: ['::1'] } }),
    });
    expect(await several.send(aRequest(`https://${HOST}:${port()}/`))).toMatchObject({
      remoteAddress: '127.0.0.1',
      result: { status: 200 },
    });
    const onlyForbidden = aSender({ ...bound, createResolver: () => fixedResolver({ [HOST]: { v4: ['127.0.0.2'] } }) });
    expect(await onlyForbidden.send(aRequest(`https://${HOST}:${elsewhere.port}/`))).toMatchObject({
      error: { code: 'address_not_allowed' },
    });
    expect(await several.send(aRequest(`https://127.0.0.2:${elsewhere.port}/`))).toMatchObject({
      error: { code: 'address_not_allowed' },
    });
    expect(elsewhere.connections).toBe(0);
  });

  it('says connect when no source address has the receiver’s family (E8)', async () => {
    const sender = aSender({
      sourceAddresses: ['127.0.0.5'],
      createResolver: () => fixedResolver({ [HOST]: { v4: [], v6: ['::1'] } }),
    });
    expect(await sender.send(aRequest(`https://${HOST}:${port()}/`))).toMatchObject({ error: { code: 'connect' } });
  });

  it('keeps and reuses bound connections, and re-sends after one has died (C3)', async () => {
    const dying = await Receiver.overTls(identity, (c) =>
      c.onRequest((_r, count) => (count < 3 ? c.socket.write(ok()) : c.socket.destroy())),
    );
    const sender = aSender({ sourceAddresses: ['127.0.0.5'] });
    for (const resent of [false, false, true]) {
      expect(await sender.send(aRequest(`https://${HOST}:${dying.port}/`))).toMatchObject({
        result: { status: 200 },
        resent,
      });
    }
    expect(dying.connections).toBe(2);
    await dying.close();
  });
});

describe('what there is no way to switch on (E1, E14)', () => {
  it('has no plain HTTP at all, even past the URL check', () => {
    expect(() => requestTarget('http://127.0.0.1/')).toThrow('webhooks are sent over HTTPS only');
  });

  it('takes no proxy from the environment', async () => {
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY'])
      vi.stubEnv(name, `http://127.0.0.2:${elsewhere.port}`);
    expect(await aSender({}).send(aRequest(`https://${HOST}:${receiver.port}/`))).toMatchObject({
      result: { status: 200 },
    });
    expect(elsewhere.connections).toBe(0);
  });

  it('verifies even if the environment was changed after the start', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    vi.spyOn(process, 'emitWarning').mockReturnValue(undefined);
    const stranger = await Receiver.overTls(
      await (await CertificateAuthority.create('CN=Unknown')).issue({ names: [HOST] }),
      (c) => c.answer(ok()),
    );
    expect(await aSender({}).send(aRequest(`https://${HOST}:${stranger.port}/`))).toMatchObject({
      error: { code: 'tls_untrusted' },
    });
    await stranger.close();
  });
});

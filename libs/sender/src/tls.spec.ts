import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import type { ErrorCode } from '@form-webhooks/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sender } from './sender.js';
import { CertificateAuthority, selfSigned } from './testing/certificates.js';
import { ok, Receiver } from './testing/receivers.js';
import { aRequest, HOST, testSender } from './testing/test-sender.js';
import { createTrust } from './connection/trusted-roots.js';

let authority: CertificateAuthority;
let sender: Sender;

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  sender = testSender(authority.pem);
});
afterAll(() => sender.close());

describe('certificates (C6, C8)', () => {
  it.each<[string, ErrorCode, RegExp, () => ReturnType<typeof selfSigned>]>([
    ['row 81: expired', 'tls_expired', /expired/, () => authority.issue({ names: [HOST], validFrom: -5, validTo: -2 })],
    ['row 81: not valid yet', 'tls_expired', /not valid yet/, () => authority.issue({ names: [HOST], validFrom: 2 })],
    ['row 81: self-signed', 'tls_untrusted', /self-signed/, () => selfSigned({ names: [HOST] })],
    ['row 81: for another name', 'tls_name_mismatch', /another host/, () => authority.issue({ names: ['other.com'] })],
    [
      'row 81: of an unknown authority',
      'tls_untrusted',
      /not from a trusted authority/,
      async () => (await CertificateAuthority.create('CN=Unknown')).issue({ names: [HOST] }),
    ],
    [
      'row 82: for a wildcard of another level',
      'tls_name_mismatch',
      /another host/,
      () => authority.issue({ names: ['*.com'] }),
    ],
  ])('%s', async (_row, code, words, issue) => {
    const receiver = await Receiver.overTls(await issue(), (c) => c.answer(ok()));
    const attempt = await sender.send(aRequest(`https://${HOST}:${receiver.port}/`));
    expect(attempt.error).toEqual({ code, message: expect.stringMatching(words) as string });
    expect(receiver.requests).toEqual([]);
    await receiver.close();
  });

  it.each<[string, Parameters<CertificateAuthority['issue']>[0]]>([
    ['nothing but the host as its common name', { subject: `CN=${HOST}` }],
    ['only an address, and the host as its common name', { subject: `CN=${HOST}`, addresses: ['127.0.0.1'] }],
    ['only an address', { addresses: ['127.0.0.1'] }],
    ['no name at all', { subject: 'O=Nobody' }],
    ['a common name that looks like a list', { subject: `CN="x, DNS:${HOST}"` }],
  ])('row 82: a certificate with %s is refused, in words that say so', async (_what, names) => {
    const receiver = await Receiver.overTls(await authority.issue(names), (c) => c.answer(ok()));
    const attempt = await sender.send(aRequest(`https://${HOST}:${receiver.port}/`));
    expect(attempt.error).toEqual({
      code: 'tls_name_mismatch',
      message: expect.stringContaining('names no host') as string,
    });
    expect(receiver.requests).toEqual([]);
    await receiver.close();
  });

  it.each([
    ['row 82: a wildcard', { names: ['*.good.com'] }, HOST],
    ['row 82: an address in the certificate for a literal', { addresses: ['127.0.0.1'] }, '127.0.0.1'],
  ])('%s is accepted', async (_row, names, host) => {
    const receiver = await Receiver.overTls(await authority.issue(names), (c) => c.answer(ok()));
    expect(await sender.send(aRequest(`https://${host}:${receiver.port}/`))).toMatchObject({ result: { status: 200 } });
    await receiver.close();
  });

  it('row 82: a certificate without the address is refused for a literal', async () => {
    const receiver = await Receiver.overTls(await authority.issue({ names: [HOST] }), (c) => c.answer(ok()));
    const attempt = await sender.send(aRequest(`https://127.0.0.1:${receiver.port}/`));
    expect(attempt.error?.code).toBe('tls_name_mismatch');
    await receiver.close();
  });

  it('row 81: TLS 1.0 and 1.1 are refused', async () => {
    const identity = await authority.issue({ names: [HOST] });
    for (const version of ['TLSv1', 'TLSv1.1'] as const) {
      const old = { ...identity, minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
      const receiver = await Receiver.overTls(old, (c) => c.answer(ok()));
      const attempt = await sender.send(aRequest(`https://${HOST}:${receiver.port}/`));
      expect(attempt.error?.code).toBe('tls_protocol');
      await receiver.close();
    }
  });

  it('names the host in SNI, and nothing for a literal', async () => {
    const server = createServer(await authority.issue({ names: [HOST], addresses: ['127.0.0.1'] }));
    const names: unknown[] = [];
    server.on('secureConnection', (socket: TLSSocket) => {
      names.push((socket as unknown as { servername: unknown }).servername);
      socket.on('error', () => undefined).end(ok());
    });
    const port = await listen(server);
    await sender.send(aRequest(`https://${HOST}:${port}/`));
    await sender.send(aRequest(`https://127.0.0.1:${port}/`));
    expect(names).toEqual([HOST, false]);
    server.close();
  });
});

describe('extra roots (C7)', () => {
  it('are refused at the start if they hold no certificate', () => {
    expect(() => createTrust('hello')).toThrow(RangeError);
    expect(() => createTrust('-----BEGIN CERTIFICATE-----\nnope\n-----END CERTIFICATE-----')).toThrow(RangeError);
  });

  it('may hold several certificates, and may be empty', async () => {
    const other = await CertificateAuthority.create('CN=Other');
    const both = testSender(`${other.pem}\n${authority.pem}`);
    const receiver = await Receiver.overTls(await authority.issue({ names: [HOST] }), (c) => c.answer(ok()));
    expect(await both.send(aRequest(`https://${HOST}:${receiver.port}/`))).toMatchObject({ result: { status: 200 } });
    const none = testSender('');
    expect(await none.send(aRequest(`https://${HOST}:${receiver.port}/`))).toMatchObject({
      error: { code: 'tls_untrusted' },
    });
    both.close();
    none.close();
    await receiver.close();
  });
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

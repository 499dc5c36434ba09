import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { ensureAuthority, issueCertificate, type CertificateAuthority } from '@form-webhooks/local';
import { writeTrust } from '../faults/keys/authorities.js';
import { TlsFront } from './tls-front.js';

const folder = mkdtempSync(join(tmpdir(), 'front-'));
const trust = join(folder, 'trust.pem');
let leaked: CertificateAuthority;
let fresh: CertificateAuthority;
let server: Server;
let front: TlsFront;

beforeAll(async () => {
  leaked = await ensureAuthority(join(folder, 'leaked'));
  fresh = await ensureAuthority(join(folder, 'fresh'));
});
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  server = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  front = await TlsFront.open(`amqp://ada:p@127.0.0.1:${port}/own`, 'tls', await issueCertificate(leaked));
});
afterEach(async () => {
  await front.close();
  server.close();
});

/** What comes back of "hello" over a connection that trusts what is in the file. */
async function echoed(): Promise<string> {
  const client = connect({
    host: '127.0.0.1',
    port: Number(new URL(front.url('amqps', {})).port),
    ca: readFileSync(trust),
  });
  try {
    client.write('hello');
    const [chunk] = (await once(client, 'data')) as [Buffer];
    return String(chunk);
  } finally {
    client.destroy();
  }
}

it('shows another certificate once it is restarted, to those who trust its authority', async () => {
  writeTrust(trust, leaked);
  expect(await echoed()).toBe('hello');
  front.restart(await issueCertificate(fresh));
  await expect(echoed()).rejects.toThrow(/certificate/);
  writeTrust(trust, leaked, fresh);
  expect(await echoed()).toBe('hello');
  expect(front.secured).toBeGreaterThan(0);
});

it('cuts the connections that stand when it is restarted', async () => {
  writeTrust(trust, leaked);
  const client = connect({
    host: '127.0.0.1',
    port: Number(new URL(front.url('amqps', {})).port),
    ca: readFileSync(trust),
  });
  client.on('error', () => undefined);
  await once(client, 'secureConnect');
  const closed = once(client, 'close');
  front.restart(await issueCertificate(fresh));
  await closed;
});

it("has the target's name, password and path in its URL, or another's", () => {
  const { username, pathname, search } = new URL(front.url('amqps', { cacertfile: '/ca.pem' }));
  expect([username, pathname, search]).toEqual(['ada', '/own', '?cacertfile=%2Fca.pem']);
  expect(new URL(front.url('amqps', {}, new URL('amqp://eve:q@127.0.0.1:1'))).username).toBe('eve');
});

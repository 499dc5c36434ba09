import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Sender } from './sender.js';
import { CertificateAuthority, type Identity } from './testing/certificates.js';
import { ok, Receiver, writeForever, type Behaviour, type Connection } from './testing/receivers.js';
import { aRequest, HOST, testSender } from './testing/test-sender.js';

/** A receiver in a thread of its own: it writes while this one stands still. */
const UNASKED_ANSWERS = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { createServer } = require('node:tls');
  let socket;
  const answer = (status) => 'HTTP/1.1 ' + status + ' Status\\r\\ncontent-length: 0\\r\\n\\r\\n';
  const server = createServer(workerData, (accepted) => {
    socket = accepted.on('error', () => undefined);
    socket.on('data', () => accepted.write(answer(200)));
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
  parentPort.on('message', () => socket.write(answer(410)));
`;

/** Whether the kernel holds bytes of a server at this port that its client has not read (proc(5), /proc/net/tcp). */
function liesUnreadFrom(port: number): boolean {
  const server = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const connections = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return connections.some((line) => {
    const [, , remote, , queues] = line.trim().split(/\s+/);
    return remote!.endsWith(server) && !queues!.endsWith(':00000000');
  });
}
const ANSWER_MS = 20;
/** An idle connection is ended after 4 s anyway. */
const WELL_BEFORE_IDLE_MS = 3_500;

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
const send = () => sender.send(aRequest(`https://${HOST}:${receiver.port}/hook`));
const gone = (): Promise<void> =>
  vi.waitFor(() => expect(receiver.open.size).toBe(0), { timeout: WELL_BEFORE_IDLE_MS, interval: 10 });

describe('a connection that waits for its next request', () => {
  it('is ended by the first byte that arrives on it', async () => {
    let connection: Connection | undefined;
    await overTls((c) => (connection = c).answer(ok(200)));
    await send();
    expect(receiver.open.size).toBe(1);
    connection!.socket.write('x');
    await gone();
  });

  it('takes next to nothing of a receiver that writes as fast as it can', async () => {
    let connection: Connection | undefined;
    await overTls((c) => (connection = c).answer(ok(200)));
    await send();
    writeForever(connection!.socket, Buffer.alloc(65_536));
    await gone();
    expect(connection!.socket.bytesWritten).toBeLessThan(32 * 1024 * 1024);
  });

  it('never gives the next request an answer that was written for none', async () => {
    await overTls((c) =>
      c.onRequest((_request, count) => {
        c.socket.write(ok(200));
        if (count === 1) setTimeout(() => c.socket.write(ok(410)), ANSWER_MS);
      }),
    );
    await send();
    await gone();
    expect((await send()).result).toEqual({ kind: 'response', status: 200 });
    expect(receiver.connections).toBe(2);
  });

  it('never gives the next request an answer that lay unread when the request began', async () => {
    const worker = new Worker(UNASKED_ANSWERS, { eval: true, workerData: identity });
    const [port] = (await once(worker, 'message')) as [number];
    const url = `https://${HOST}:${port}/hook`;
    await sender.send(aRequest(url));
    worker.postMessage('answer unasked');
    // This thread reads nothing while the answer arrives, nor before its next request.
    while (!liesUnreadFrom(port)) continue;
    expect(await sender.send(aRequest(url))).toMatchObject({ response: { status: 200 }, resent: false });
    await worker.terminate();
  });
});

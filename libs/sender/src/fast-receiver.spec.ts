import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sender } from './sender.js';
import { CertificateAuthority } from './testing/certificates.js';
import { aRequest, HOST, testSender } from './testing/test-sender.js';

/** In a thread of its own: only so can an answer be there before the sender's own event loop has turned. */
const RECEIVER = `
  const { createServer } = require('node:https');
  const { parentPort, workerData } = require('node:worker_threads');
  let connections = 0;
  const server = createServer(workerData, (request, response) => request.resume().on('end', () => {
    if (request.url !== '/told') return response.end('ok');
    parentPort.postMessage('received');
    setTimeout(() => response.end('ok'), 100);
  }));
  // Under load the whole takes so long that some connections come to the end of their idle time.
  server.on('secureConnection', (socket) => {
    let lastUse = performance.now();
    socket.on('data', () => (lastUse = performance.now()));
    socket.on('close', () => performance.now() - lastUse > workerData.nearlyIdleMs && (connections -= 1));
    connections += 1;
  });
  parentPort.on('message', () => parentPort.postMessage(connections));
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
/** An idle connection is ended after 4 s. */
const NEARLY_IDLE_MS = 3_500;
const IN_FLIGHT = 64;
const EACH = 20;
const BURSTS = 10;
const IDLE_FOR_A_WHILE_MS = 20;

const ATTEMPT_TIMEOUT_MS = 1_000;

function keepBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('a receiver that answers before the sender looks', () => {
  let worker: Worker;
  let sender: Sender;
  let port: number;
  let caPem: string;

  beforeAll(async () => {
    const authority = await CertificateAuthority.create();
    const identity = await authority.issue({ names: [HOST] });
    worker = new Worker(RECEIVER, { eval: true, workerData: { ...identity, nearlyIdleMs: NEARLY_IDLE_MS } });
    port = await answer();
    caPem = authority.pem;
    sender = testSender(caPem, { attemptTimeoutMs: 30_000 });
  });
  afterAll(async () => {
    sender.close();
    await worker.terminate();
  });

  const answer = async (): Promise<number> => ((await once(worker, 'message')) as [number])[0];
  const connections = (): Promise<number> => {
    worker.postMessage('connections');
    return answer();
  };

  it('is sent everything over as many connections as attempts are under way', { timeout: 30_000 }, async () => {
    const url = `https://${HOST}:${port}/`;
    const some = async (): Promise<void> => {
      for (let n = 0; n < EACH; n++) expect(await sender.send(aRequest(url))).toMatchObject({ error: null });
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, some));
    expect(await connections()).toBeLessThanOrEqual(IN_FLIGHT);
  });

  it('gets bursts over the connections that idled, as soon as those have answered', { timeout: 30_000 }, async () => {
    const own = testSender(caPem, { attemptTimeoutMs: 30_000 });
    const send = (): Promise<unknown> => own.send(aRequest(`https://${HOST}:${port}/`));
    const burst = (): Promise<unknown> => Promise.all(Array.from({ length: IN_FLIGHT }, () => send().then(send)));
    const before = await connections();
    for (let n = 0; n < BURSTS; n++) {
      await burst();
      await delay(IDLE_FOR_A_WHILE_MS);
    }
    expect((await connections()) - before).toBeLessThanOrEqual(IN_FLIGHT);
    own.close();
  });

  // The receiver may be kept from its answer for as long; a real breach fails every time.
  it('is heard by a process that was too busy to listen in time: no attempt is sent again', { retry: 2 }, async () => {
    const url = `https://${HOST}:${port}/told`;
    const late = testSender(caPem, { attemptTimeoutMs: ATTEMPT_TIMEOUT_MS });
    try {
      const sending = late.send(aRequest(url));
      await once(worker, 'message');
      keepBusy(1.5 * ATTEMPT_TIMEOUT_MS);
      expect(await sending).toMatchObject({ error: null, response: { status: 200, excerpt: 'ok' } });
    } finally {
      late.close();
    }
  });
});

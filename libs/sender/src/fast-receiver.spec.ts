import { once } from 'node:events';
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
  const server = createServer(workerData, (request, response) => request.resume().on('end', () => response.end('ok')));
  server.on('secureConnection', () => (connections += 1));
  parentPort.on('message', () => parentPort.postMessage(connections));
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
const IN_FLIGHT = 64;
const EACH = 20;

describe('a receiver that answers faster than the end of the writing is told', () => {
  let worker: Worker;
  let sender: Sender;
  let port: number;

  beforeAll(async () => {
    const authority = await CertificateAuthority.create();
    worker = new Worker(RECEIVER, { eval: true, workerData: await authority.issue({ names: [HOST] }) });
    port = await answer();
    sender = testSender(authority.pem, { attemptTimeoutMs: 30_000 });
  });
  afterAll(async () => {
    sender.close();
    await worker.terminate();
  });

  const answer = async (): Promise<number> => ((await once(worker, 'message')) as [number])[0];

  it('is sent everything over as many connections as attempts are under way', async () => {
    const url = `https://${HOST}:${port}/`;
    const some = async (): Promise<void> => {
      for (let n = 0; n < EACH; n++) expect(await sender.send(aRequest(url))).toMatchObject({ error: null });
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, some));
    worker.postMessage('connections');
    expect(await answer()).toBeLessThanOrEqual(IN_FLIGHT);
  });
});

import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccessRequest } from '../access/access-request.js';
import { CallerIdentity } from '../access/caller-identity.js';
import { boundAnswers } from './bound-answers.js';
import { InFlight } from './in-flight.js';
import type { InFlightSettings } from './in-flight-settings.js';

const MIB = 1024 * 1024;
const SETTINGS: InFlightSettings = {
  callsPerCaller: 20,
  bytesPerCaller: 30 * MIB,
  bytesInAll: 100 * MIB,
  writeTimeoutMs: 4_000,
};
/** More than the buffers of both ends take. */
const LARGE = 13 * MIB;
const WAIT = { timeout: 50_000, interval: 20 };

describe('answers', { timeout: 60_000 }, () => {
  let server: FastifyInstance;
  let inFlight: InFlight;
  let cut: number;
  let sockets: Socket[];
  let letGo: () => void;

  beforeEach(async () => {
    [cut, sockets] = [0, []];
    inFlight = new InFlight(SETTINGS);
    server = fastify({ forceCloseConnections: true });
    server.addHook('onRequest', async (request) => {
      const name = String(request.headers['x-caller'] ?? 'a');
      (request as AccessRequest).caller = new CallerIdentity(name, null, '::1', 'ws_1', new Set());
      await wait(Number(request.headers['x-wait'] ?? 0));
    });
    boundAnswers(server, inFlight, { writeTimeoutMs: SETTINGS.writeTimeoutMs, onCut: () => cut++ });
    server.get('/large', () => 'x'.repeat(LARGE));
    server.get('/small', () => 'x');
    server.get('/never', () => new Promise(() => undefined));
    server.get('/slow', () => wait(300).then(() => 'x'));
    const held = new Promise<string>((resolve) => (letGo = () => resolve('x')));
    server.get('/held', () => held);
    await server.listen({ port: 0, host: '127.0.0.1' });
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
  });

  const port = (): number => (server.server.address() as AddressInfo).port;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port()}${path}`, { headers });

  /** Asks and never reads. */
  function neverRead(path: string, headers = ''): Socket {
    const socket = connect({ port: port(), host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`);
    sockets.push(socket);
    return socket;
  }

  it('that nobody reads are held up to a cap, and given up after a time', async () => {
    for (let n = 0; n < 15; n++) neverRead('/large');
    await vi.waitFor(() => expect(inFlight.totals.bytes).toBeGreaterThan(LARGE), WAIT);
    expect(inFlight.totals.bytes).toBeLessThanOrEqual(SETTINGS.bytesPerCaller + MIB);
    expect((await get('/small')).status).toBe(200);
    expect((await get('/large', { 'x-caller': 'b' })).status).toBe(200);
    await vi.waitFor(() => expect(inFlight.totals).toEqual({ callers: 0, bytes: 0 }), WAIT);
    expect(cut).toBeGreaterThanOrEqual(2);
    // Tried again where the machine is too busy to read it in time.
    await vi.waitFor(async () => expect((await (await get('/large')).text()).length).toBe(LARGE), WAIT);
  });

  it('beyond the cap are a problem document that says so', async () => {
    const release = [inFlight.holdAnswer('ws_1:a', 20 * MIB)];
    const refused = await get('/large');
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      429,
      expect.stringContaining('problem+json'),
    ]);
    expect(await refused.json()).toMatchObject({ status: 429, request_id: expect.any(String) as string });
    release.push(inFlight.holdAnswer('ws_1:c', 70 * MIB));
    expect((await get('/large', { 'x-caller': 'b' })).status).toBe(503);
    for (const end of release) (end as () => void)();
  });

  it('to too many calls at a time are refused, those of others not', async () => {
    const statuses: number[] = [];
    const calls = Array.from({ length: SETTINGS.callsPerCaller + 5 }, () =>
      get('/held').then(({ status }) => statuses.push(status)),
    );
    await vi.waitFor(() => expect(statuses).toEqual(Array(5).fill(429)), WAIT);
    expect((await get('/small', { 'x-caller': 'b' })).status).toBe(200);
    letGo();
    await Promise.all(calls);
    expect(statuses.filter((status) => status === 200)).toHaveLength(SETTINGS.callsPerCaller);
  });

  it('leave nothing counted behind where the client goes away with others before them unanswered', async () => {
    const socket = connect({ port: port(), host: '127.0.0.1' }).on('error', () => undefined);
    sockets.push(socket);
    const ask = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
    socket.write(ask('/never') + ask('/large').repeat(2) + ask('/small').repeat(3) + ask('/never'));
    await vi.waitFor(() => expect(inFlight.totals.bytes).toBeGreaterThan(2 * LARGE), WAIT);
    socket.destroy();
    await vi.waitFor(() => expect(inFlight.totals).toEqual({ callers: 0, bytes: 0 }), WAIT);
  });

  it('are given up after a time also while others before them are unanswered', async () => {
    const socket = neverRead('/never');
    socket.write('GET /large HTTP/1.1\r\nhost: a\r\n\r\n');
    await vi.waitFor(() => expect(inFlight.totals.bytes).toBeGreaterThan(LARGE - 1), WAIT);
    await vi.waitFor(() => expect(inFlight.totals).toEqual({ callers: 0, bytes: 0 }), WAIT);
    expect(cut).toBe(1);
  });

  it('leave nothing counted behind, wherever the client stops', async () => {
    const ends = [0, 1, 5, 20, 60, 200];
    for (const path of ['/small', '/slow', '/large']) {
      for (const after of ends) {
        const socket = neverRead(path, `x-wait: ${after % 7 === 0 ? 0 : 30}\r\n`);
        void wait(after).then(() => (after % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()));
      }
    }
    await wait(400);
    await vi.waitFor(() => expect(inFlight.totals).toEqual({ callers: 0, bytes: 0 }), WAIT);
  });
});

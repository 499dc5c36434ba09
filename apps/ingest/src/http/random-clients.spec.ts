import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey, type ApiKeyReference } from '@form-webhooks/domain';
import type { ApiKeyReply } from '@form-webhooks/messages';
import { loadSettings } from '@form-webhooks/settings';
import { LOGGER, Metrics, NO_TRACING, Tracing, type Logger } from '@form-webhooks/telemetry';
import { Module } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AcceptEvent, EventQueue } from '../accept/accept-event.js';
import { EventSettings } from '../accept/event-settings.js';
import { IngestMetrics } from '../accept/ingest-metrics.js';
import { CallerCheck } from '../access/caller-check.js';
import { FailureBudget } from '../access/failure-budget.js';
import { KeyDirectory, KeySource } from '../access/key-directory.js';
import { TokenBuckets } from '../access/token-buckets.js';
import { Clock, SystemClock } from '../clock.js';
import { IngestSettings } from '../settings.js';
import { Capacity } from './capacity.js';
import { EventsController } from './events.controller.js';
import { createApiAdapter, HttpDoor } from './http-door.js';
import { ProblemFilter } from './problem-filter.js';

/** So long that what a request holds is seen before it is ended, also on a busy machine. */
const REQUEST_TIMEOUT_MS = 3_000;
const SETTINGS = loadSettings(IngestSettings, {
  RABBITMQ_URL: 'amqp://localhost',
  REQUEST_TIMEOUT: `${REQUEST_TIMEOUT_MS}ms`,
  EVENT_MAX_BYTES: '65536',
  LOG_LEVEL: 'silent',
});
const LIMITS = { requests: 1_000, bytes: 4_194_304, holdMs: REQUEST_TIMEOUT_MS + 2_000 };
const KEY = generateApiKey();
const clock = new SystemClock();
const failures: unknown[] = [];
const silent = () => undefined;
const logger = { info: silent, warn: silent, error: (facts: object) => failures.push(facts) } as unknown as Logger;

class SlowSource extends KeySource {
  override async ask({ hash }: ApiKeyReference): Promise<ApiKeyReply> {
    await delay(20);
    return { valid: hash === KEY.hash, scopes: ['events:write'], expires_at: null };
  }
}

class SlowQueue extends EventQueue {
  override async publish(): Promise<void> {
    await delay(20);
  }
}

function createCallers(): CallerCheck {
  const elapsed = () => clock.elapsed();
  const limits = { maxAgeMs: 60_000, graceMs: 60_000, refusalAgeMs: 5_000, pauseMs: 1_000 };
  const perKey = new TokenBuckets({ burst: 100_000, perSecond: 100_000 }, elapsed);
  const directory = new KeyDirectory(new SlowSource(), limits, clock);
  return new CallerCheck(directory, perKey, new FailureBudget(100_000, elapsed));
}

@Module({
  controllers: [EventsController],
  providers: [
    HttpDoor,
    AcceptEvent,
    IngestMetrics,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: Capacity, useFactory: () => new Capacity(LIMITS) },
    { provide: CallerCheck, useFactory: createCallers },
    { provide: EventQueue, useClass: SlowQueue },
    { provide: EventSettings, useValue: SETTINGS.events },
    { provide: Metrics, useFactory: () => new Metrics('ingest') },
    { provide: Clock, useValue: clock },
    { provide: LOGGER, useValue: logger },
    { provide: Tracing, useValue: NO_TRACING },
  ],
})
class DoorModule {}

/** How a client behaves; whatever it is, nothing of it may stay. */
interface Client {
  readonly key: 'valid' | 'wrong' | 'none';
  /** What it says of its body's length. */
  readonly says: 'the truth' | 'more' | 'less' | 'far too much' | 'chunked' | 'nothing';
  readonly bodyBytes: number;
  /** After how many hundredths of its bytes it stops. */
  readonly stopsAfter: number;
  /** What it does when it stops. */
  readonly then: 'reset' | 'close' | 'half-close' | 'say nothing more';
  readonly pieces: number;
  readonly requests: number;
  readonly reads: boolean;
}

const CLIENT: fc.Arbitrary<Client> = fc.record({
  key: fc.constantFrom('valid' as const, 'valid' as const, 'wrong' as const, 'none' as const),
  says: fc.constantFrom('the truth', 'the truth', 'more', 'less', 'far too much', 'chunked', 'nothing'),
  bodyBytes: fc.integer({ min: 0, max: 65_536 }),
  stopsAfter: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constant(100)),
  then: fc.constantFrom('reset', 'close', 'half-close', 'say nothing more'),
  pieces: fc.integer({ min: 1, max: 8 }),
  requests: fc.integer({ min: 1, max: 4 }),
  reads: fc.boolean(),
});

const LENGTHS: Readonly<Record<Exclude<Client['says'], 'chunked' | 'nothing'>, (bytes: number) => number>> = {
  'the truth': (bytes) => bytes,
  more: (bytes) => bytes + 1_000,
  less: (bytes) => Math.floor(bytes / 2),
  'far too much': () => 10_000_000_000,
};

function bytesOf({ key, says, bodyBytes, requests }: Client): Buffer {
  const body = `{"event":"submission.created","form_id":"f_1","submission_id":"s_1","fields":{"x":"${'x'.repeat(bodyBytes)}"}}`;
  const credential = key === 'valid' ? KEY.key : generateApiKey().key;
  const head = [
    'POST /v1/events HTTP/1.1',
    'host: x',
    'content-type: application/json',
    ...(key === 'none' ? [] : [`authorization: Bearer ${credential}`]),
    ...(says === 'chunked' ? ['transfer-encoding: chunked'] : []),
    ...(says === 'chunked' || says === 'nothing' ? [] : [`content-length: ${LENGTHS[says](body.length)}`]),
  ].join('\r\n');
  const sent = says === 'chunked' ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  return Buffer.from(`${head}\r\n\r\n${sent}`.repeat(requests));
}

/** Also after an error, which `once` would throw. */
const closeOf = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve));

describe('the HTTP door', () => {
  let app: NestFastifyApplication;
  let port: number;

  beforeAll(async () => {
    app = await NestFactory.create<NestFastifyApplication>(DoorModule, createApiAdapter(SETTINGS), {
      logger: false,
      bodyParser: false,
    });
    app.get(HttpDoor).install(app, SETTINGS.http, app.get(LOGGER));
    await app.listen(0, '127.0.0.1');
    port = (app.getHttpServer().address() as AddressInfo).port;
  });
  afterAll(async () => {
    app.getHttpServer().closeAllConnections();
    await app.close();
  });

  /** Resolves when the connection is gone: by the client's will, or cut off by the server. */
  async function play(client: Client): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    const closed = closeOf(socket);
    if (client.reads) socket.resume();
    const bytes = bytesOf(client);
    const sent = bytes.subarray(0, Math.ceil((bytes.length * client.stopsAfter) / 100));
    const step = Math.ceil(sent.length / client.pieces);
    for (let at = 0; at < sent.length && !socket.destroyed; at += step) {
      socket.write(sent.subarray(at, at + step));
      await delay(1);
    }
    if (client.then === 'reset') socket.resetAndDestroy();
    else if (client.then === 'close') socket.destroy();
    else if (client.then === 'half-close') socket.end();
    // One that was answered keeps its connection, which is its right. One that is not heard of any more is cut off.
    await Promise.race([closed, delay(REQUEST_TIMEOUT_MS + 2_500)]);
    socket.destroy();
    await closed;
  }

  async function held(): Promise<Record<string, number>> {
    const lines = (await app.get(Metrics).render()).split('\n').filter((line) => !line.startsWith('#'));
    const of = (name: string) => Number(lines.find((line) => line.startsWith(`${name}{`))?.split(' ')[1]);
    return {
      connections: of('ingest_connections_open'),
      checks: of('ingest_key_checks_waiting'),
      requests: of('ingest_requests_in_flight'),
      bytes: of('ingest_bytes_in_flight'),
    };
  }

  const NOTHING = { connections: 0, checks: 0, requests: 0, bytes: 0 };

  it(
    'holds nothing of clients who stop anywhere, drip or lie about lengths, and serves on',
    { timeout: 120_000 },
    async () => {
      // A crowd takes the whole limit of a request, however large it is: so one is played, and large.
      const crowds = fc.array(CLIENT, { minLength: 150, maxLength: 250 });
      const property = fc.asyncProperty(crowds, async (clients) => {
        await Promise.all(clients.map(play));
        await vi.waitFor(async () => expect(await held()).toEqual(NOTHING), { timeout: 10_000 });
        const response = await fetch(`http://127.0.0.1:${port}/v1/events`, {
          method: 'POST',
          headers: { authorization: `Bearer ${KEY.key}`, 'content-type': 'application/json', connection: 'close' },
          body: '{"event":"submission.created","form_id":"f_1","submission_id":"s_1","fields":{}}',
        });
        expect(response.status).toBe(202);
        await response.arrayBuffer();
        // Whoever goes away can't fill the log, which is for faults of ours.
        expect(failures).toEqual([]);
      });
      await fc.assert(property, { numRuns: 1, endOnFailure: true });
    },
  );

  it('holds no bytes for callers without a key', async () => {
    const sockets = Array.from({ length: 200 }, () => connect({ port, host: '127.0.0.1' }));
    const head = 'POST /v1/events HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 65536\r\n';
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.write(`${head}authorization: Bearer ${generateApiKey().key}\r\n\r\n{"half":`);
    }
    await vi.waitFor(async () => expect((await held())['checks']).toBeGreaterThan(0), { interval: 1 });
    expect(await held()).toMatchObject({ requests: 0, bytes: 0 });
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect(await held()).toEqual(NOTHING), { timeout: 10_000 });
  });

  it.each([
    ['POST', '/v1/nothing', 404],
    ['PUT', '/v1/events', 405],
    ['DELETE', '/docs', 404],
  ])('reads nothing of the body of %s %s, which it does not serve', async (method, path, status) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 65536\r\n`;
    socket.write(`${head}\r\n{"half":`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*"status":${status}`));
  });

  it('ends the request of a client who drips its body, and its connection', { timeout: 30_000 }, async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const answer: Buffer[] = [];
    socket.on('error', () => undefined).on('data', (bytes: Buffer) => answer.push(bytes));
    const closed = closeOf(socket);
    socket.write(
      `POST /v1/events HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 65536\r\n` +
        `authorization: Bearer ${KEY.key}\r\n\r\n`,
    );
    const drip = setInterval(() => socket.destroyed || socket.write(' '), 50);
    await vi.waitFor(async () => expect((await held())['bytes']).toBe(65_536));
    await closed;
    clearInterval(drip);
    expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1.1 408 /);
    await vi.waitFor(async () => expect(await held()).toEqual(NOTHING), { timeout: 10_000 });
  });
});

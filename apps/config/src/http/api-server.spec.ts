import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { loadSettings } from '@form-webhooks/settings';
import { LOGGER, Metrics, type Logger } from '@form-webhooks/telemetry';
import { unauthorized } from '@form-webhooks/http-edge';
import { ExchangeDashboardCodeDto } from '@form-webhooks/http-api';
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessRequest } from '../access/access-request.js';
import { CallerCheck } from '../access/caller-check.js';
import { CallerIdentity } from '../access/caller-identity.js';
import { InFlightSettings } from '../in-flight/in-flight-settings.js';
import { InFlight } from '../in-flight/in-flight.js';
import { ApiMetrics } from './api-metrics.js';
import { createApiAdapter, prepareApi } from './api-server.js';
import { ProblemFilter } from './problem-filter.js';
import { busy } from './problems.js';
import { RouteTable } from './route-table.js';
import { StrictDtoPipe } from './strict-dto.pipe.js';

const HTTP = { host: '127.0.0.1', port: 0, trustedProxies: [], maxConnections: 100 };
/** A page that may call. */
const PAGE = 'https://dashboard.example.com';
const failures: unknown[] = [];
const logger = { error: (facts: object) => failures.push(facts) } as unknown as Logger;

/** Who shows anything is somebody. */
const callers = {
  identify: async ({ headers }: AccessRequest) => {
    if (headers.authorization === undefined) throw unauthorized('Who are you?');
    if (headers.authorization === 'Bearer stranger') throw busy('Too many.');
    return Promise.resolve(new CallerIdentity('key:key_1', 'key_1', '::1', 'ws_1', new Set()));
  },
};

/** Routes that are like ours: one for those who show a credential, and the one that is open to all. */
@Controller('v1')
class Routes {
  @Get('things')
  list(): object {
    return { items: [] };
  }

  @Post('things')
  make(@Body() body: object): object {
    return body;
  }

  @Post('dashboard/session')
  begin(@Body() body: ExchangeDashboardCodeDto): object {
    return body;
  }
}

@Module({
  controllers: [Routes],
  providers: [
    RouteTable,
    ApiMetrics,
    InFlight,
    { provide: InFlightSettings, useValue: loadSettings(InFlightSettings, {}) },
    { provide: CallerCheck, useValue: callers },
    { provide: Metrics, useFactory: () => new Metrics('config') },
    { provide: LOGGER, useValue: logger },
    { provide: APP_PIPE, useClass: StrictDtoPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
class ApiOfRoutes {}

describe('the API', () => {
  let app: NestFastifyApplication;
  let port: number;

  beforeAll(async () => {
    app = await NestFactory.create<NestFastifyApplication>(ApiOfRoutes, createApiAdapter(HTTP), {
      logger: false,
      bodyParser: false,
    });
    prepareApi(app, { corsOrigins: [PAGE], maxPageSize: 100 });
    await app.listen(0, '127.0.0.1');
    port = (app.getHttpServer().address() as AddressInfo).port;
  });
  afterAll(async () => {
    app.getHttpServer().closeAllConnections();
    await app.close();
  });

  /** Sends the head of a request with a body of so many bytes, and only the first of these. */
  function begin(method: string, path: string, bodyBytes: number, headers = ''): Socket {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}`;
    socket.write(`${head}content-length: ${bodyBytes}\r\n\r\n{"half":`);
    return socket;
  }

  async function firstAnswer(socket: Socket): Promise<string> {
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return answer.toString();
  }

  it.each([
    ['POST', '/v1/nothing', 404],
    ['PUT', '/v1/things', 405],
    ['DELETE', '/', 404],
  ])('reads nothing of the body of %s %s, which it does not serve', async (method, path, status) => {
    expect(await firstAnswer(begin(method, path, 90_000))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('takes no more than a code of those who show no credential', async () => {
    const larger = begin('POST', '/v1/dashboard/session', 1_025);
    expect(await firstAnswer(larger)).toMatch(/^HTTP\/1.1 413 [^]*larger than 1 KiB/);
    const code = 'c'.repeat(43);
    const response = await fetch(`http://127.0.0.1:${port}/v1/dashboard/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    expect(await response.json()).toEqual({ code });
    const ofACaller = begin('POST', '/v1/things', 102_401, 'authorization: Bearer a\r\n');
    expect(await firstAnswer(ofACaller)).toMatch(/^HTTP\/1.1 413 [^]*larger than 100 KiB/);
  });

  it.each([
    ['/v1/things', 'authorization: Bearer a\r\n'],
    ['/v1/dashboard/session', ''],
  ])('takes a body for %s that its sender leaves unfinished for no fault of its own', async (path, headers) => {
    const connected = once(app.getHttpServer(), 'connection') as Promise<[Socket]>;
    begin('POST', path, 1_000, headers).destroySoon();
    const [connection] = await connected;
    await new Promise((resolve) => connection.once('close', resolve));
    // What became of the request is told in the same turn, or the next.
    await delay(50);
    expect(failures).toEqual([]);
  });

  it('lets nobody on the way keep what a caller is told', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/things`, { headers: { authorization: 'Bearer a' } });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it.each([
    ['application/json; charset=UTF-8', 'identity', 201],
    ['application/json; charset=utf-16', 'identity', 415],
    ['application/json; charset=iso-8859-1', 'identity', 415],
    ['application/json', 'gzip', 415],
    ['text/plain', 'identity', 415],
  ])('reads of a body that is said to be %s in %s what it is, or says %i', async (type, encoding, status) => {
    const headers = { authorization: 'Bearer a', 'content-type': type, 'content-encoding': encoding };
    const response = await fetch(`http://127.0.0.1:${port}/v1/things`, { method: 'POST', headers, body: '{"a":"é"}' });
    expect(response.status).toBe(status);
    if (status === 201) expect(await response.json()).toEqual({ a: 'é' });
  });

  it('lets nobody fill the log who is told that too much is asked at the moment', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/things`, {
      headers: { authorization: 'Bearer stranger' },
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({ code: 'busy' });
    expect(failures).toEqual([]);
  });

  it.each([
    ['/v1/things', 401],
    ['/v1/nothing', 404],
  ])('lets a page that may call read why %s was answered with %i', async (path, status) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { origin: PAGE } });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, PAGE]);
  });

  it('lets it ask first, without a credential', async () => {
    const headers = { origin: PAGE, 'access-control-request-method': 'POST' };
    const response = await fetch(`http://127.0.0.1:${port}/v1/things`, { method: 'OPTIONS', headers });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, PAGE]);
  });
});

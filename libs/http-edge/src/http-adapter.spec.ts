import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpAdapter } from './http-adapter.js';
import { readJsonOnly } from './json-bodies.js';
import { conflict, type Problem } from './problem.js';
import { showRequestIds } from './answers/request-id.js';
import { sendProblem } from './send-problem.js';

const MAX_BODY_BYTES = 100;

describe('an HTTP server', () => {
  const adapter = createHttpAdapter({
    maxBodyBytes: MAX_BODY_BYTES,
    requestTimeoutMs: 30_000,
    trustedProxies: ['127.0.0.1'],
    maxRequestsPerConnection: 1_000,
    sentences: { unreadableUrl: 'no URL', unreadableRequest: 'no request' },
    problemHeaders: { 'cache-control': 'no-store', allow: 'nothing' },
  });
  const fastify = adapter.getInstance();
  let port: number;

  beforeAll(async () => {
    showRequestIds(fastify);
    readJsonOnly(fastify, (bytes) => JSON.parse(bytes.toString()) as unknown);
    fastify.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
      reply.code(error.statusCode ?? 400).send({ error: error.message }),
    );
    fastify.get('/problem', (request, reply) => {
      sendProblem(reply, request.id, conflict('It is taken.', 'taken'));
      sendProblem(reply, request.id, conflict('A second answer.'));
    });
    fastify.get('/named', (request, reply) => {
      const problem: Problem = conflict('x');
      sendProblem(reply, request.id, problem, { allow: 'GET', 'content-type': 'text/x' });
    });
    fastify.post('/slow', async (_request, reply) => {
      await delay(50);
      return reply.send({ accepted: true });
    });
    fastify.post('/echo', (request, reply) => reply.send({ body: request.body, ip: request.ip }));
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    port = (fastify.server.address() as AddressInfo).port;
  });
  afterAll(() => fastify.close());

  /** Everything that comes back for these bytes until the connection ends. */
  async function answerTo(bytes: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(bytes);
    return text(socket);
  }

  const get = (path: string, headers = '') =>
    answerTo(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`);
  const post = (type: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/echo`, { method: 'POST', headers: { 'content-type': type, ...headers }, body });

  it.each([
    ['bytes that are no HTTP', 'nonsense\r\n\r\n', 400, 'Bad Request'],
    ['a head of 20 kB', `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'Request Header Fields Too Large'],
  ])('answers %s with a problem document and ends the connection', async (_what, bytes, status, title) => {
    const [head = '', body = ''] = (await answerTo(bytes)).split('\r\n\r\n');
    const lines = [
      `HTTP/1.1 ${status} ${title}`,
      'connection: close',
      'content-type: application/problem+json',
      `content-length: ${body.length}`,
    ];
    expect(head.split('\r\n')).toEqual(lines);
    const document = { type: 'about:blank', title, status, detail: 'no request' };
    expect(JSON.parse(body)).toEqual({ ...document, request_id: expect.stringMatching(/^req_/) });
  });

  it.each([
    ['more bytes than it has announced', '{}garbage'],
    ['requests that can not be read', '{}nonsense\r\n\r\nnonsense\r\n\r\n'],
  ])('gives a request its own answer that %s follow, before what they get', async (_what, body) => {
    const head = 'POST /slow HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n';
    const statuses = [...(await answerTo(head + body)).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(['200', '400']);
  });

  it('answers a URL that can not be read, with the headers of all problems', async () => {
    const answer = await get('/%E0%A4%A');
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(answer).toContain('cache-control: no-store\r\n');
    expect(answer).toContain('"detail":"no URL"');
  });

  it('sends a problem once, as its media type without a charset, with the id of the request', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/problem`);
    expect(response.status).toBe(409);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const id = response.headers.get('x-request-id');
    expect(await response.json()).toMatchObject({ detail: 'It is taken.', code: 'taken', request_id: id });
  });

  it('names each request anew', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await fetch(`http://127.0.0.1:${port}/`)).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(5);
  });

  it('sends the headers that a service wants for its problems', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/named`);
    expect([response.headers.get('allow'), response.headers.get('content-type')]).toEqual(['GET', 'text/x']);
  });

  it('reads JSON up to its size and nothing else', async () => {
    expect(await (await post('application/json', '{"a":1}')).json()).toMatchObject({ body: { a: 1 } });
    expect((await post('text/plain', '{"a":1}')).status).toBe(415);
    expect((await post('application/json', '{"a":')).status).toBe(400);
    expect((await post('application/json', `"${'x'.repeat(MAX_BODY_BYTES)}"`)).status).toBe(413);
  });

  it('believes a trusted proxy about who calls', async () => {
    const response = await post('application/json', '{}', { 'x-forwarded-for': '::ffff:192.0.2.7' });
    expect(await response.json()).toMatchObject({ ip: '::ffff:192.0.2.7' });
  });

  it('believes what a trusted proxy adds last, whatever its caller has sent before it', async () => {
    const lines = [
      'x-forwarded-for: 198.51.100.1',
      ...Array.from({ length: 3_000 }, () => 'a:'),
      'x-forwarded-for: 192.0.2.7',
    ];
    const answer = await answerTo(
      `POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${lines.join('\r\n')}\r\ncontent-length: 0\r\n\r\n`,
    );
    expect(answer).toContain('"ip":"192.0.2.7"');
  });

  it('has the limits that were asked for', () => {
    const { headersTimeout, requestTimeout, maxRequestsPerSocket } = fastify.server;
    expect({ headersTimeout, requestTimeout, maxRequestsPerSocket }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      maxRequestsPerSocket: 1_000,
    });
  });

  it('leaves it to a proxy to close a connection that waits: most do so after a minute', () => {
    expect(fastify.server.keepAliveTimeout).toBeGreaterThan(60_000);
  });

  it('never lets a head take longer than the whole request', () => {
    const sentences = { unreadableUrl: '', unreadableRequest: '' };
    const short = createHttpAdapter({ maxBodyBytes: 1, requestTimeoutMs: 2_000, trustedProxies: [], sentences });
    expect(short.getInstance().server.headersTimeout).toBe(2_000);
  });
});

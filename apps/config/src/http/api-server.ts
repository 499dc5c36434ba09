import type { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomId } from '@form-webhooks/domain';
import type { HttpSettings } from '@form-webhooks/settings';
import type { AccessRequest } from '../access/access-request.js';
import { CallerCheck } from '../access/caller-check.js';
import { ConfigMetrics } from '../config-metrics.js';
import { IDEMPOTENCY_KEY_HEADER, REPLAYED_HEADER } from '../idempotency/idempotency-key.js';
import type { ApiSettings } from './api-settings.js';
import { parseJsonBody } from './json-body.js';
import { Problem } from './problem.js';
import { PROBLEM_MEDIA_TYPE, sendProblem } from './problem-filter.js';
import { RouteTable } from './route-table.js';

const BODY_LIMIT_BYTES = 100 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_TIMEOUT_MS = 5_000;
const TIMEOUT_CHECK_MS = 1_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_REQUESTS_PER_SOCKET = 1_000;

export function createApiAdapter({ trustedProxies }: HttpSettings): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    maxRequestsPerSocket: MAX_REQUESTS_PER_SOCKET,
    // What still arrives on a live connection while we stop is served, not refused.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: () => randomId('req'),
    skipMiddie: true,
    multipart: false,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      sendProblem(reply, request.id, new Problem(400, 'The URL can not be read.'));
    },
    clientErrorHandler: answerBrokenRequest,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
  });
}

/** What every answer has in common: protective headers, a request id, one body format. Before the routes are made. */
export async function prepareApi(app: NestFastifyApplication, { corsOrigins }: ApiSettings): Promise<void> {
  // Nest brings types of Fastify of its own; at runtime there is one.
  const fastify = app.getHttpAdapter().getInstance();
  app.get(RouteTable).watch(fastify);
  await fastify.register(helmet, { contentSecurityPolicy: { useDefaults: false, directives: CONTENT_POLICY } });
  if (corsOrigins.length > 0) openTo(app, corsOrigins);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  observe(fastify, app.get(ConfigMetrics));
  identifyCallers(fastify, app.get(CallerCheck));
  acceptJsonOnly(fastify);
}

/** The page at /docs styles itself inline and draws its icons from data: URLs; nothing is loaded from elsewhere. */
const CONTENT_POLICY = {
  defaultSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  objectSrc: ["'none'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
};

/** Pages of these origins may call; without any, the browser keeps every page out. */
function openTo(app: NestFastifyApplication, origins: readonly string[]): void {
  app.enableCors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'if-match', IDEMPOTENCY_KEY_HEADER],
    exposedHeaders: ['etag', 'retry-after', 'x-request-id', REPLAYED_HEADER],
    maxAge: 600,
  });
}

function observe(fastify: FastifyInstance, metrics: ConfigMetrics): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? undefined : request.routeOptions.url;
    metrics.answered(request.method, route, reply.statusCode, reply.elapsedTime);
    done();
  });
}

/** The documentation is for everyone, and that there is no such route may be known too. */
function identifyCallers(fastify: FastifyInstance, callers: CallerCheck): void {
  fastify.addHook('onRequest', async (request) => {
    if (request.is404 || request.routeOptions.url?.startsWith('/v1/') !== true) return;
    const asked = request as AccessRequest;
    asked.caller = await callers.identify(asked);
  });
}

function acceptJsonOnly(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'];
    try {
      if (encoding !== undefined && encoding !== 'identity') {
        throw new Problem(415, 'Send the body without content-encoding.');
      }
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** A request that is no HTTP: Node can't tell whose it is, so the answer goes straight to the socket. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const { title, detail } = new Problem(status, 'The request can not be read.');
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, request_id: randomId('req') });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\ncontent-type: ${PROBLEM_MEDIA_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

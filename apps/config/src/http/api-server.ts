import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  createHttpAdapter,
  isJsonType,
  isPlainEncoding,
  Problem,
  readJsonOnly,
  setSecurityHeaders,
  showRequestIds,
  unsupportedMediaType,
} from '@form-webhooks/http-edge';
import type { HttpSettings } from '@form-webhooks/settings';
import type { AccessRequest } from '../access/access-request.js';
import { CallerCheck } from '../access/caller-check.js';
import { DASHBOARD_SESSION_PATH } from '../dashboard/dashboard-paths.js';
import { IDEMPOTENCY_KEY_HEADER, REPLAYED_HEADER } from '../idempotency/idempotency-key.js';
import { boundAnswers } from '../in-flight/bound-answers.js';
import { InFlightSettings } from '../in-flight/in-flight-settings.js';
import { InFlight } from '../in-flight/in-flight.js';
import { ApiMetrics } from './api-metrics.js';
import type { ApiSettings } from './api-settings.js';
import { parseJsonBody } from './json-body.js';
import { PROBLEM_HEADERS } from './problems.js';
import { RouteTable } from './route-table.js';

const MAX_BODY_BYTES = 100 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Of the one body that is read of anybody: it holds a code. */
const OPEN_BODY_BYTES = 1_024;
const LIVE_ROUTE = '/v1/forms/:form_id/live';
const MAX_REQUESTS_PER_CONNECTION = 1_000;

export function createApiAdapter({ trustedProxies }: HttpSettings): FastifyAdapter {
  return createHttpAdapter({
    maxBodyBytes: MAX_BODY_BYTES,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    trustedProxies,
    maxRequestsPerConnection: MAX_REQUESTS_PER_CONNECTION,
    sentences: { unreadableUrl: 'The URL can not be read.', unreadableRequest: 'The request can not be read.' },
    problemHeaders: PROBLEM_HEADERS,
  });
}

/** What every answer has in common: protective headers, a request id, one body format. Before the routes are made. */
export function prepareApi(app: NestFastifyApplication, { corsOrigins }: ApiSettings): void {
  // Nest brings types of Fastify of its own; at runtime there is one.
  const fastify = app.getHttpAdapter().getInstance();
  app.get(RouteTable).watch(fastify);
  setSecurityHeaders(fastify, { contentSecurityPolicy: { useDefaults: false, directives: CONTENT_POLICY } });
  if (corsOrigins.length > 0) openTo(app, corsOrigins);
  showRequestIds(fastify);
  observe(fastify, app.get(ApiMetrics));
  keepOutOfCaches(fastify);
  refuseStrays(fastify, app.get(RouteTable));
  boundOpenBodies(fastify);
  identifyCallers(fastify, app.get(CallerCheck), app.get(ApiMetrics));
  boundUnreadAnswers(app, fastify);
  readJsonOnly(fastify, readBody);
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
    exposedHeaders: ['etag', 'location', 'retry-after', 'x-request-id', REPLAYED_HEADER],
    maxAge: 600,
  });
}

function observe(fastify: FastifyInstance, metrics: ApiMetrics): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? undefined : request.routeOptions.url;
    // How long a page was open says nothing of how fast we are.
    if (reply.raw.statusCode === 200 && route === LIVE_ROUTE) return done();
    metrics.answered(request.method, route, reply.statusCode, reply.elapsedTime);
    done();
  });
}

const isOfApi = (route: string | undefined): boolean => route?.startsWith('/v1/') === true;

/** What one caller is told, payloads of respondents among it, stays in no browser and in no proxy on the way. */
function keepOutOfCaches(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async ({ routeOptions }, reply) => {
    if (isOfApi(routeOptions.url)) reply.header('cache-control', 'no-store');
  });
}

/**
 * As little is told as of any wrong path, so it comes before the question who calls; and before the body, which Fastify
 * reads of what no route serves too, whoever sends it.
 */
function refuseStrays(fastify: FastifyInstance, routes: RouteTable): void {
  fastify.addHook('onRequest', async ({ is404, method, url, routeOptions }) => {
    const problem = is404 ? routes.problemFor(method, url) : routes.strayed(method, url, routeOptions.url ?? '');
    if (problem) throw problem;
  });
}

/** The documentation is for everyone, and that there is no such route may be known too. */
function identifyCallers(fastify: FastifyInstance, callers: CallerCheck, metrics: ApiMetrics): void {
  fastify.addHook('onRequest', async (request) => {
    if (!isOfApi(request.routeOptions.url)) return;
    if (isOpen(request.method, request.routeOptions.url)) return;
    const asked = request as AccessRequest;
    asked.caller = await callers.identify(asked).catch((error: unknown) => {
      const { authorization, cookie } = request.headers;
      metrics.callerRefused(error instanceof Problem ? error.status : 500, (authorization ?? cookie) !== undefined);
      throw error;
    });
    asked.caller.calledAs = asked.host;
  });
}

/** Who exchanges a one-time code has nothing else to show. */
const isOpen = (method: string, url: string | undefined): boolean =>
  method === 'POST' && url === DASHBOARD_SESSION_PATH;

/** What nobody answers for is held and parsed no longer than it needs to be. */
function boundOpenBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if ([route.method].flat().some((method) => isOpen(method, route.url))) route.bodyLimit = OPEN_BODY_BYTES;
  });
}

/** Once it is known who calls. */
function boundUnreadAnswers(app: NestFastifyApplication, fastify: FastifyInstance): void {
  const { writeTimeoutMs } = app.get(InFlightSettings);
  const metrics = app.get(ApiMetrics);
  boundAnswers(fastify, app.get(InFlight), { writeTimeoutMs, onCut: () => metrics.cut() });
}

function readBody(bytes: Buffer, request: FastifyRequest): object | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
  // Read as UTF-8, a text in another encoding would be another text.
  if (!isJsonType(type)) throw unsupportedMediaType('Send the body as application/json, in UTF-8.');
  if (!isPlainEncoding(encoding)) throw unsupportedMediaType('Send the body without content-encoding.');
  return parseJsonBody(bytes);
}

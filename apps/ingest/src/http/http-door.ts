import type { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import { randomId } from '@form-webhooks/domain';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerCheck } from '../access/caller-check.js';
import type { IngestMetrics } from '../ingest-metrics.js';
import type { Capacity } from './capacity.js';
import { mediaTypeProblem } from './media-type.js';
import { Problem, PROBLEM_MEDIA_TYPE } from './problem.js';
import { sendProblem } from './problem-filter.js';
import { busy, callerProblem, tooLarge } from './problems.js';

export interface HttpDoorOptions {
  readonly maxEventBytes: number;
  /** How long a whole request may take to arrive, ms. */
  readonly requestTimeoutMs: number;
  /** Addresses or networks of the proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
}

const MAX_HEADER_BYTES = 16 * 1024;
/** How often Node looks for requests that take too long, ms. */
const TIMEOUT_CHECK_MS = 1_000;
const MAX_HEADERS_MS = 10_000;

export function createAdapter(options: HttpDoorOptions): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: options.maxEventBytes,
    requestTimeout: options.requestTimeoutMs,
    // What still arrives on a live connection while we stop is served, not refused.
    return503OnClosing: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    genReqId: nextRequestId,
    skipMiddie: true,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      sendProblem(reply, request.id, new Problem(400, 'the URL can not be read'));
    },
    clientErrorHandler: answerBrokenRequest,
    http: {
      headersTimeout: Math.min(MAX_HEADERS_MS, options.requestTimeoutMs),
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
  });
}

const PROCESS_ID = randomId('req');
let requests = 0;

/** Unique, and cheaper than randomness for each request. */
const nextRequestId = (): string => `${PROCESS_ID}-${(++requests).toString(36)}`;

/** What was found out about a request before its body. */
interface Admission {
  readonly bytes: number;
}

/** Everything that happens to a request before its body is read: room, caller, media type, size; in this order. */
export class HttpDoor {
  private readonly admitted = new WeakMap<FastifyRequest, Admission>();

  constructor(
    private readonly callers: CallerCheck,
    private readonly capacity: Capacity,
    private readonly metrics: IngestMetrics,
    private readonly options: HttpDoorOptions,
  ) {}

  async install(app: NestFastifyApplication): Promise<void> {
    const fastify = app.getHttpAdapter().getInstance();
    // Its policy would be put together anew for each request; `beforeBody` writes the one that an API needs.
    await fastify.register(helmet, { contentSecurityPolicy: false });
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    fastify.addHook('onRequest', (request, reply) => this.beforeBody(request, reply));
    fastify.addHook('onResponse', (request, _reply, done) => {
      this.leave(request);
      done();
    });
  }

  private async beforeBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('x-request-id', request.id).header('content-security-policy', "default-src 'none'");
    if (request.is404) return;
    this.enter(request);
    const verdict = await this.callers.check(request.headers.authorization, request.ip);
    if (verdict.kind !== 'admitted') throw this.refused(verdict.kind, callerProblem(verdict));
    const mediaType = mediaTypeProblem(request.headers['content-type'], request.headers['content-encoding']);
    if (mediaType) throw this.refused('media_type', mediaType);
    if (isTooLarge(request, this.options.maxEventBytes)) {
      throw this.refused('too_large', tooLarge(this.options.maxEventBytes));
    }
  }

  private enter(request: FastifyRequest): void {
    const bytes = Math.min(declaredBytes(request), this.options.maxEventBytes);
    if (!this.capacity.enter(bytes)) throw this.refused('busy', busy());
    this.admitted.set(request, { bytes });
  }

  private leave(request: FastifyRequest): void {
    const admission = this.admitted.get(request);
    if (!admission) return;
    this.admitted.delete(request);
    this.capacity.leave(admission.bytes);
  }

  private refused(reason: string, problem: Problem): Problem {
    this.metrics.refused('http', reason);
    return problem;
  }
}

/** The body's size as announced; a body of unknown size may be as large as it likes. */
function declaredBytes(request: FastifyRequest): number {
  const length = request.headers['content-length'];
  return length === undefined ? Infinity : Number(length);
}

/** Known before a byte of the body; a chunked body is cut off by Fastify's own limit. */
function isTooLarge(request: FastifyRequest, maxBytes: number): boolean {
  return request.headers['content-length'] !== undefined && declaredBytes(request) > maxBytes;
}

/** Bytes that are no HTTP request, or one that took too long. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = BROKEN[error.code ?? ''] ?? 400;
  const body = JSON.stringify(new Problem(status, 'the request can not be read').toBody(nextRequestId()));
  const head = [`HTTP/1.1 ${status} Problem`, 'connection: close', `content-type: ${PROBLEM_MEDIA_TYPE}`];
  socket.end([...head, `content-length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'));
}

const BROKEN: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

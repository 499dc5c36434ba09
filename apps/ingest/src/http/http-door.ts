import {
  boundConnections,
  createHttpAdapter,
  readJsonOnly,
  setSecurityHeaders,
  showRequestIds,
  warnOfProxies,
  type Problem,
} from '@form-webhooks/http-edge';
import type { HttpSettings } from '@form-webhooks/settings';
import type { Logger } from '@form-webhooks/telemetry';
import { Injectable } from '@nestjs/common';
import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventSettings } from '../accept/event-settings.js';
import { CallerCheck } from '../access/caller-check.js';
import { IngestMetrics } from '../accept/ingest-metrics.js';
import type { IngestSettings } from '../settings.js';
import { Capacity } from './capacity.js';
import { mediaTypeProblem } from './media-type.js';
import { DOCUMENT_PATH, PAGE_PATH } from './paths.js';
import { busy, callerProblem, notServed, tooLarge } from './problems.js';

/** They cost no more than a refusal, and hold nothing. */
const OPEN_TO_ALL: ReadonlySet<string | undefined> = new Set([DOCUMENT_PATH, PAGE_PATH]);

/** An API has nothing for a browser to load; the page that describes it has a policy of its own. */
const CONTENT_POLICY = { useDefaults: false, directives: { defaultSrc: ["'none'"] } };

export function createApiAdapter({ http, requests, events }: IngestSettings): FastifyAdapter {
  return createHttpAdapter({
    maxBodyBytes: events.maxBytes,
    requestTimeoutMs: requests.timeoutMs,
    trustedProxies: http.trustedProxies,
    sentences: { unreadableUrl: 'the URL can not be read', unreadableRequest: 'the request can not be read' },
  });
}

/**
 * Everything that happens to a request before its body is read: caller, media type, size, room; in this order. Room comes
 * last, so that nobody holds any who has no key.
 */
@Injectable()
export class HttpDoor {
  constructor(
    private readonly callers: CallerCheck,
    private readonly capacity: Capacity,
    private readonly metrics: IngestMetrics,
    private readonly limits: EventSettings,
  ) {}

  install(app: NestFastifyApplication, http: HttpSettings, logger: Logger): void {
    const fastify = app.getHttpAdapter().getInstance();
    setSecurityHeaders(fastify, { contentSecurityPolicy: CONTENT_POLICY });
    readJsonOnly(fastify, (bytes) => bytes);
    showRequestIds(fastify);
    warnOfProxies(fastify, http.trustedProxies, logger);
    fastify.addHook('onRequest', (request, reply) => this.beforeBody(request, reply));
    this.metrics.watchHeld({
      connections: boundConnections(fastify.server, http.maxConnections),
      checks: this.callers.underWay,
      requests: this.capacity.requests,
      bytes: this.capacity.bytes,
    });
  }

  private async beforeBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // Here and not once the route is handled: before that Fastify reads the body, and this one is anybody's.
    if (request.is404) throw notServed(request.url);
    if (OPEN_TO_ALL.has(request.routeOptions.url)) return;
    const verdict = await this.callers.check(request.headers.authorization, request.ip);
    if (verdict.kind !== 'admitted') throw this.refused(verdict.kind, callerProblem(verdict));
    const mediaType = mediaTypeProblem(request.headers['content-type'], request.headers['content-encoding']);
    if (mediaType) throw this.refused('media_type', mediaType);
    const { maxBytes } = this.limits;
    if (isTooLarge(request, maxBytes)) throw this.refused('too_large', tooLarge(maxBytes));
    if (!this.capacity.enter(reply.raw, Math.min(declaredBytes(request), maxBytes))) throw this.refused('busy', busy());
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

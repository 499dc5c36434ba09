import helmet from '@fastify/helmet';
import { createHttpAdapter, readJsonOnly, showRequestIds, type Problem } from '@form-webhooks/http-edge';
import { Injectable } from '@nestjs/common';
import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventSettings } from '../accept/event-settings.js';
import { CallerCheck } from '../access/caller-check.js';
import { IngestMetrics } from '../accept/ingest-metrics.js';
import type { IngestSettings } from '../settings.js';
import { Capacity } from './capacity.js';
import { mediaTypeProblem } from './media-type.js';
import { busy, callerProblem, tooLarge } from './problems.js';

export function createApiAdapter({ http, requests, events }: IngestSettings): FastifyAdapter {
  return createHttpAdapter({
    maxBodyBytes: events.maxBytes,
    requestTimeoutMs: requests.timeoutMs,
    trustedProxies: http.trustedProxies,
    sentences: { unreadableUrl: 'the URL can not be read', unreadableRequest: 'the request can not be read' },
  });
}

/** What was found out about a request before its body. */
interface Admission {
  readonly bytes: number;
}

/** Everything that happens to a request before its body is read: room, caller, media type, size; in this order. */
@Injectable()
export class HttpDoor {
  private readonly admitted = new WeakMap<FastifyRequest, Admission>();

  constructor(
    private readonly callers: CallerCheck,
    private readonly capacity: Capacity,
    private readonly metrics: IngestMetrics,
    private readonly limits: EventSettings,
  ) {}

  async install(app: NestFastifyApplication): Promise<void> {
    const fastify = app.getHttpAdapter().getInstance();
    // Its policy would be put together anew for each request; `beforeBody` writes the one that an API needs.
    await fastify.register(helmet, { contentSecurityPolicy: false });
    readJsonOnly(fastify, (bytes) => bytes);
    showRequestIds(fastify);
    fastify.addHook('onRequest', (request, reply) => this.beforeBody(request, reply));
    fastify.addHook('onResponse', (request, _reply, done) => {
      this.leave(request);
      done();
    });
  }

  private async beforeBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('content-security-policy', "default-src 'none'");
    if (request.is404) return;
    this.enter(request);
    const verdict = await this.callers.check(request.headers.authorization, request.ip);
    if (verdict.kind !== 'admitted') throw this.refused(verdict.kind, callerProblem(verdict));
    const mediaType = mediaTypeProblem(request.headers['content-type'], request.headers['content-encoding']);
    if (mediaType) throw this.refused('media_type', mediaType);
    if (isTooLarge(request, this.limits.maxBytes)) {
      throw this.refused('too_large', tooLarge(this.limits.maxBytes));
    }
  }

  private enter(request: FastifyRequest): void {
    const bytes = Math.min(declaredBytes(request), this.limits.maxBytes);
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

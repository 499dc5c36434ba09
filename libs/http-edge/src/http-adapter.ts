import type { Server } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerBrokenRequests } from './broken-request.js';
import { LatestAnswers } from './answers/latest-answers.js';
import { badRequest } from './problem.js';
import { randomRequestId } from './answers/request-id.js';
import { sendProblem } from './send-problem.js';

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS_MS = 10_000;
/** How much longer than for a whole request a connection may stand still, in both directions, while one is answered, ms. */
const MAX_STILL_MS = 30_000;
/**
 * How long a connection may wait for its next request, ms: longer than the minute for which most proxies keep theirs. If we
 * closed it first, a request that is on its way just then would get the proxy's 502.
 */
const MAX_IDLE_MS = 75_000;
/** How often Node looks for requests that take too long, ms. */
const TIMEOUT_CHECK_MS = 1_000;

/** What differs between the services. */
export interface HttpAdapterOptions {
  /** How large a body may be, in bytes. */
  readonly maxBodyBytes: number;
  /** How long a whole request may take to arrive, ms; of this its head may take 10 s. */
  readonly requestTimeoutMs: number;
  /** Addresses or networks of the proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** After how many requests a connection is closed; without it never for that. */
  readonly maxRequestsPerConnection?: number;
  /** The sentences for what no handler ever sees. */
  readonly sentences: { readonly unreadableUrl: string; readonly unreadableRequest: string };
  /** Headers of every problem document, as for `sendProblem`. */
  readonly problemHeaders?: Readonly<Record<string, string>>;
}

/** Nest's adapter with the limits that every HTTP server of ours has, and problem documents for what is no request. */
export function createHttpAdapter(options: HttpAdapterOptions): FastifyAdapter {
  const { requestTimeoutMs, trustedProxies, maxRequestsPerConnection, sentences, problemHeaders } = options;
  const answers = new LatestAnswers();
  const adapter = new FastifyAdapter({
    bodyLimit: options.maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: requestTimeoutMs + MAX_STILL_MS,
    keepAliveTimeout: MAX_IDLE_MS,
    ...(maxRequestsPerConnection !== undefined && { maxRequestsPerSocket: maxRequestsPerConnection }),
    // What still arrives on a live connection while we stop is served, not refused.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: randomRequestId,
    skipMiddie: true,
    multipart: false,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      sendProblem(reply, request.id, badRequest(sentences.unreadableUrl), problemHeaders);
    },
    clientErrorHandler: answerBrokenRequests(sentences.unreadableRequest, (socket) => answers.of(socket)),
    http: {
      headersTimeout: Math.min(MAX_HEADERS_MS, requestTimeoutMs),
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
  });
  // Node would leave out what comes after the thousandth, as the address that a proxy adds last: bytes are the limit.
  const server = adapter.getHttpServer<Server>();
  server.maxHeadersCount = 0;
  server.on('request', (_request, response) => answers.note(response));
  return adapter;
}

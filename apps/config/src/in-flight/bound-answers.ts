import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tooManyRequests, unavailable, whenOver, type Problem } from '@form-webhooks/http-edge';
import type { AccessRequest } from '../access/access-request.js';
import { PROBLEM_HEADERS } from '../http/problems.js';
import type { FullCap, InFlight } from './in-flight.js';

const RETRY_AFTER_MS = 1_000;

/** What happens to an answer that nobody reads. */
export interface AnswerBounds {
  readonly writeTimeoutMs: number;
  /** Told of each connection that is cut. */
  readonly onCut: () => void;
}

/**
 * Bounds what callers can make this service hold: calls at a time, bytes of answers that they have not read, and the time
 * in which they read one. Call it after the hook that identifies callers.
 */
export function boundAnswers(fastify: FastifyInstance, inFlight: InFlight, bounds: AnswerBounds): void {
  fastify.addHook('onRequest', async (request, reply) => {
    const caller = nameOf(request);
    if (caller === undefined) return;
    const end = inFlight.beginCall(caller);
    if (!end)
      throw tooManyRequests(
        RETRY_AFTER_MS,
        'Too many requests of this credential are under way at a time.',
        'too_many_at_a_time',
      );
    whenOver(reply.raw, end);
  });
  fastify.addHook('onSend', async (request, reply, payload) => {
    cutIfUnread(reply, bounds);
    const [caller, bytes] = [nameOf(request), sizeOf(payload)];
    if (caller === undefined || bytes === 0) return payload;
    const held = inFlight.holdAnswer(caller, bytes);
    if (typeof held === 'string') return refuse(reply, request.id, held);
    whenOver(reply.raw, held);
    return payload;
  });
}

const nameOf = (request: FastifyRequest): string | undefined => {
  const { caller } = request as AccessRequest;
  return caller && `${caller.workspaceId ?? ''}:${caller.actor}`;
};

const sizeOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;

/** A time for the whole answer: one for each byte could be drawn out for ever. */
function cutIfUnread(reply: FastifyReply, { writeTimeoutMs, onCut }: AnswerBounds): void {
  const timer = setTimeout(() => {
    onCut();
    // Not the answer's: it has none while it waits behind another one of the same connection.
    reply.request.raw.socket.destroy();
  }, writeTimeoutMs);
  timer.unref();
  whenOver(reply.raw, () => clearTimeout(timer));
}

/** What was asked for has been put together in vain, and is let go. */
function refuse(reply: FastifyReply, requestId: string, cap: FullCap): Buffer {
  const problem = problemFor(cap);
  void reply
    .code(problem.status)
    .removeHeader('content-length')
    .headers({ ...PROBLEM_HEADERS, ...problem.headers });
  return Buffer.from(JSON.stringify(problem.toDocument(requestId)));
}

const problemFor = (cap: FullCap): Problem =>
  cap === 'caller'
    ? tooManyRequests(RETRY_AFTER_MS, 'Read the answers to the requests before this one first.', 'too_many_unread')
    : unavailable(RETRY_AFTER_MS, 'Too many answers are waiting to be read; try again in a moment.');

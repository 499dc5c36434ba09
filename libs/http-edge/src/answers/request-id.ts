import { randomId } from '@form-webhooks/domain';
import type { FastifyInstance } from 'fastify';

/** Names one request in its answer and in the log; random, so that it tells nobody how many others there were. */
export const randomRequestId = (): string => randomId('req');

/** Lets each answer say its request's id, also one that refuses. Call it before the hooks that may refuse. */
export function showRequestIds(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}

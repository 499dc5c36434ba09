import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Lets `application/json` be the one media type that is read, as bytes; Fastify answers others with 415.
 * @param read gives what the handler gets as the body; what it throws is the answer
 */
export function readJsonOnly(
  fastify: FastifyInstance,
  read: (bytes: Buffer, request: FastifyRequest) => unknown,
): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, read(bytes as Buffer, request));
    } catch (error) {
      done(error as Error);
    }
  });
}

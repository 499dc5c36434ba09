import type { FastifyReply } from 'fastify';
import { PROBLEM_MEDIA_TYPE, type Problem } from './problem.js';

/**
 * Answers with a problem document; does nothing if the request has its answer already.
 * @param headers what the service says with each of its problems; the problem's own headers win
 */
export function sendProblem(
  reply: FastifyReply,
  requestId: string,
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (reply.sent) return;
  void reply
    .code(problem.status)
    .headers({ 'content-type': PROBLEM_MEDIA_TYPE, ...headers, ...problem.headers })
    // As bytes: to a text Fastify would add a charset, which the media type does not have.
    .send(Buffer.from(JSON.stringify(problem.toDocument(requestId))));
}

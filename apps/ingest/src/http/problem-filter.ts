import { isAbortedBody, Problem, sendProblem } from '@form-webhooks/http-edge';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventSettings } from '../accept/event-settings.js';
import { IngestMetrics } from '../accept/ingest-metrics.js';
import { tooLarge } from './problems.js';

/** Turns whatever leaves a handler, a hook or the HTTP layer into a problem document. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: IngestMetrics,
    private readonly limits: EventSettings,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    sendProblem(reply, request.id, this.problemOf(error, request.id));
  }

  private problemOf(error: unknown, requestId: string): Problem {
    if (error instanceof Problem) return error;
    const status = error instanceof HttpException ? error.getStatus() : undefined;
    // The hooks know the rest; this is what the body's bytes show, such as a chunked one that does not end.
    if (status === 413) return this.counted('too_large', tooLarge(this.limits.maxBytes));
    if (status !== undefined && status >= 400 && status <= 499) {
      const detail = 'the request can not be read: its length or encoding is not what it says';
      return this.counted('broken_request', new Problem(status, detail));
    }
    if (isAbortedBody(error)) return this.counted('aborted', new Problem(400, 'the request ended in its body'));
    this.logger.error({ request_id: requestId, err: error }, 'a request failed');
    return new Problem(500, 'something is wrong on our side; send the event again');
  }

  private counted(reason: string, problem: Problem): Problem {
    this.metrics.refused('http', reason);
    return problem;
  }
}

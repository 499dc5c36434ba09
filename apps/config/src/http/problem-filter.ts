import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OnceAMinute } from '@form-webhooks/domain';
import { isOvertaken, isStatementCancelled } from '@form-webhooks/storage';
import { LOGGER, type Logger } from '@form-webhooks/telemetry';
import { badRequest, isAbortedBody, Problem, sendProblem, unavailable } from '@form-webhooks/http-edge';
import { isDatabaseAway } from '../database/database-away.js';
import { isBusy, PROBLEM_HEADERS } from './problems.js';
import { RouteTable } from './route-table.js';

/** How long callers are asked to wait while the database is away or slow, ms. */
const DATABASE_RETRY_MS = 5_000;
/** What came between is done by then, ms. */
const OVERTAKEN_RETRY_MS = 1_000;

/** Turns everything that ends a request early into a problem document, and tells nothing of the inside. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  /** By what the database or the network says: a closed set. */
  private readonly absences = new OnceAMinute();

  constructor(
    private readonly routes: RouteTable,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const problem = this.problemFor(error, request);
    if (problem.status >= 500 && !isBusy(problem)) this.tell(error, request);
    sendProblem(http.getResponse<FastifyReply>(), request.id, problem, PROBLEM_HEADERS);
  }

  /** While the database is away every call fails alike: each way in which it is gets a line a minute. */
  private tell(error: unknown, request: FastifyRequest): void {
    const facts = { err: error, request_id: request.id, route: request.routeOptions?.url };
    const isTold = isDatabaseAway(error) && !this.absences.isDue(String((error as { code?: unknown }).code));
    this.logger[isTold ? 'debug' : 'error'](facts, 'a request failed');
  }

  private problemFor(error: unknown, request: FastifyRequest): Problem {
    if (error instanceof Problem) return error;
    if (request.is404) return this.routes.problemFor(request.method, request.url);
    if (error instanceof HttpException) return new Problem(error.getStatus(), wordsFor(error.getStatus(), request));
    if (isAbortedBody(error)) return badRequest('The request ended in its body.');
    if (isDatabaseAway(error)) return unavailable(DATABASE_RETRY_MS, 'The database can not serve this now; try again.');
    if (isOvertaken(error)) return unavailable(OVERTAKEN_RETRY_MS, 'Another change came between; try again.');
    if (isStatementCancelled(error)) {
      const detail = 'The database took too long for this; narrow the filter if there is one, or try again.';
      return unavailable(DATABASE_RETRY_MS, detail);
    }
    return new Problem(500, 'Something went wrong on our side; the request id helps us to find it.');
  }
}

/** What Fastify refuses before a handler is asked. */
function wordsFor(status: number, { routeOptions }: FastifyRequest): string {
  if (status === 413) return `The body is larger than ${routeOptions.bodyLimit / 1_024} KiB.`;
  if (status === 415) return 'Send the body as application/json, without content-encoding.';
  if (status === 400) return 'The request can not be read.';
  return 'The request was refused.';
}

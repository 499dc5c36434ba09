import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { ProblemDto } from '@form-webhooks/http-api';
import type { Operation } from './tell-rules.js';

type Response = Record<string, unknown> & { headers?: Record<string, unknown> };

const TOO_MANY =
  'Too many requests in a time (`too_many_per_credential`, `too_many_per_workspace`; `too_many_per_address` of wrong ' +
  'credentials), too many at a time (`too_many_at_a_time`), or too many answers that nobody reads (`too_many_unread`)';

/** What any call can be answered with, and only calls that may have a body. */
const OF_ALL: Readonly<Record<string, string>> = {
  400: 'The URL can not be read',
  401: 'No valid credential',
  403: 'A scope is missing',
  422: 'Not valid',
  429: TOO_MANY,
  503: 'The database or something else that is needed is away',
};
const WITH_BODY: Readonly<Record<string, string>> = {
  400: 'The body or the URL can not be read',
  413: 'The body is larger than 100 KiB',
  415: 'The body is not `application/json`',
};

const header = (description: string, type: 'string' | 'integer' = 'string') => ({ description, schema: { type } });

const REQUEST_ID = { 'X-Request-Id': header('Names the request in our log') };
const HEADERS: Readonly<Record<string, Record<string, unknown>>> = {
  401: { 'WWW-Authenticate': header('The scheme that is asked for') },
  429: { 'Retry-After': header('Seconds to wait', 'integer') },
  503: { 'Retry-After': header('Seconds to wait', 'integer') },
};

/** Says of every operation what it can be answered with beside what its controller says, with the headers. */
export function tellAnswers(document: OpenAPIObject): void {
  for (const path of Object.values(document.paths)) {
    for (const [verb, operation] of Object.entries(path as Record<string, Operation>)) {
      if (operation.operationId === undefined) continue;
      const common = verb === 'get' ? OF_ALL : { ...OF_ALL, ...WITH_BODY };
      for (const [status, description] of Object.entries(common)) {
        operation.responses[status] ??= { description, content: PROBLEM };
      }
      for (const [status, response] of Object.entries(operation.responses)) addHeaders(response, status);
    }
  }
}

function addHeaders(response: Response, status: string): void {
  response.headers = { ...REQUEST_ID, ...HEADERS[status], ...response.headers };
}

const PROBLEM = { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } };

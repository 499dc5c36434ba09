import { EVENT_ID_PATTERN, IDEMPOTENCY_KEY_PATTERN } from '@form-webhooks/domain';
import { PROBLEM_MEDIA_TYPE, type SchemaPart } from '@form-webhooks/http-edge';
import { EVENTS_PATH } from '../paths.js';
import { eventSchema } from './event-schema.js';

const TEXT = { type: 'string' };

/** As `ProblemDocument` has it. */
const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'request_id'],
  properties: {
    type: TEXT,
    title: TEXT,
    status: { type: 'integer' },
    detail: { ...TEXT, description: 'What is wrong and what to do, for people' },
    code: { ...TEXT, description: 'Stable, for programs' },
    errors: {
      type: 'array',
      description: 'All that is wrong with the event, at once',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: { field: TEXT, code: TEXT, message: TEXT },
      },
    },
    request_id: { ...TEXT, description: 'Name it when you ask for help' },
  },
};

const ACCEPTED = {
  type: 'object',
  required: ['event_id', 'accepted_at'],
  properties: {
    event_id: { ...TEXT, pattern: EVENT_ID_PATTERN.source },
    accepted_at: { ...TEXT, format: 'date-time' },
  },
};

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } };
const REQUEST_ID = { 'X-Request-Id': { description: 'Names the request in our log', schema: TEXT } };

function problem(description: string, headers: SchemaPart = {}): SchemaPart {
  const content = { [PROBLEM_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } };
  return { description, headers: { ...REQUEST_ID, ...headers }, content };
}

const answers = (maxBytes: number): SchemaPart => ({
  202: {
    description: 'The event is safe: it reaches every enabled endpoint of its form',
    headers: REQUEST_ID,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/AcceptedEvent' } } },
  },
  400: problem('The body can not be read as JSON'),
  401: problem('No valid key', { 'WWW-Authenticate': { description: 'The scheme that is asked for', schema: TEXT } }),
  403: problem('The key lacks the scope events:write'),
  413: problem(`The body is larger than ${maxBytes} bytes`),
  415: problem('The body is not application/json, or is compressed'),
  422: problem('The event is not valid'),
  429: problem('The key sends too many events, or the address too many wrong keys', RETRY_AFTER),
  503: problem('Not accepted for certain: send the same bytes with the same key again', RETRY_AFTER),
});

/** The OpenAPI document of the HTTP door. @param maxBytes how large a body may be */
export function describeApi(maxBytes: number): SchemaPart {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Form webhooks: events',
      version: '1',
      description:
        'Takes in what happened on forms. The 202 means that the event is safe. Without an answer, or with 503, send the ' +
        'same bytes with the same key again: they are the same event.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [{ name: 'events', description: 'What happened on forms' }],
    paths: { [EVENTS_PATH]: { post: postEvent(maxBytes) } },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A service key with the scope events:write' },
      },
      schemas: { Event: eventSchema(), AcceptedEvent: ACCEPTED, Problem: PROBLEM },
    },
  };
}

const postEvent = (maxBytes: number): SchemaPart => ({
  operationId: 'post_event',
  summary: 'Hands over one event',
  tags: ['events'],
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Names the occurrence: the same bytes with the same key are the same event',
      schema: { ...TEXT, pattern: IDEMPOTENCY_KEY_PATTERN.source },
    },
    {
      name: 'traceparent',
      in: 'header',
      required: false,
      description: 'The span of the caller, by W3C Trace Context; one that can not be read is ignored',
      schema: TEXT,
    },
  ],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
  },
  responses: answers(maxBytes),
});

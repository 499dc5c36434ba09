import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { boundDocumentation } from './bound-documentation.js';
import { queryClasses } from './query-classes.js';
import { eachObject, type Schema } from './schema.js';
import { tellAnswers } from './tell-answers.js';
import { tellRules } from './tell-rules.js';

const DESCRIPTION = [
  'Forms, endpoints, signing secrets, keys, the audit log and the delivery log.',
  'Times are RFC 3339 in UTC with milliseconds. Lists are `{items, next_cursor}`. Every error is a problem document',
  '(RFC 9457): 400 is not parsable, 422 not valid. A verb that a path does not serve is answered with 405 and `Allow`.',
  'Give a POST or PATCH an Idempotency-Key, and it can be repeated after a lost answer without being done twice.',
].join('\n');

const TAGS: Readonly<Record<string, string>> = {
  me: 'The credential that calls',
  forms: 'What the form service registers. Everything else belongs to a form: register it first',
  endpoints: 'Receivers of a form, their signing secrets and their health',
  events: 'Accepted events, whatever became of them',
  deliveries: 'The delivery log, replays and statistics',
  'live updates': 'What to read again while a page is open',
  dashboard: 'How the host product opens the dashboard, and the session of its page',
  submissions: 'Erasing what a respondent sent',
  'api-keys': 'Keys for programs',
  'audit log': 'Who changed what',
  'source IPs': 'The addresses that deliveries come from',
};

/** The OpenAPI document, from the DTOs, what validates them, and the routes' own decorators. */
export function describeApi(app: INestApplication): OpenAPIObject {
  const about = new DocumentBuilder()
    .setTitle('Form webhooks: config API')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key or a JWT of the identity provider' });
  for (const [name, description] of Object.entries(TAGS)) about.addTag(name, description);
  const document = SwaggerModule.createDocument(app, about.build());
  tellRules(document, queryClasses(app));
  tellAnswers(document);
  eachObject(document, settleSchema);
  return document;
}

/** What the generator leaves open. */
function settleSchema(schema: Schema): void {
  // Fractions say that they are doubles.
  if (schema.type === 'number' && schema.format === undefined) schema.type = 'integer';
  if (schema.nullable !== true) return;
  if (schema.enum && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
  // Null is a value of a type: without one `nullable` says nothing.
  schema.type ??= schema.enum ? 'string' : 'object';
}

/** The document at `/docs` for people, and at `/docs-json` and `/docs-yaml` for programs. */
export function serveDocumentation(app: NestFastifyApplication): void {
  boundDocumentation(app.getHttpAdapter().getInstance(), '/docs');
  let made: OpenAPIObject | undefined;
  const document = (): OpenAPIObject => (made ??= describeApi(app));
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'docs-json',
    yamlDocumentUrl: 'docs-yaml',
  });
}

import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

const DESCRIPTION = [
  'Forms, endpoints, signing secrets, keys, the audit log and the delivery log.',
  'Times are RFC 3339 in UTC with milliseconds. Lists are `{items, next_cursor}`. Every error is a problem document',
  '(RFC 9457): 400 is not parsable, 422 not valid. Give a POST or PATCH an Idempotency-Key, and it can be repeated',
  'after a lost answer without being done twice.',
].join('\n');

/** The OpenAPI document, from the DTOs and the routes' own decorators. */
function describeApi(app: INestApplication): OpenAPIObject {
  const about = new DocumentBuilder()
    .setTitle('Form webhooks: config API')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key or a JWT of the identity provider' })
    .build();
  return SwaggerModule.createDocument(app, about);
}

/** The document at `/docs` for people, and at `/docs-json` for programs. */
export function serveDocumentation(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => describeApi(app), {
    jsonDocumentUrl: 'docs-json',
    yamlDocumentUrl: 'docs-yaml',
  });
}

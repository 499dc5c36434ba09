import { applyDecorators, Controller } from '@nestjs/common';
import { ApiBearerAuth, ApiExtraModels, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { ProblemDto } from '@form-webhooks/http-api';

/** A problem document as an answer of a route. */
export const Answers = (status: number, description: string): MethodDecorator & ClassDecorator =>
  ApiResponse({
    status,
    description,
    content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } },
  });

/** Headers of an answer, for its decorator. */
export const WITH_ETAG = { ETag: { description: 'Its version, for If-Match', schema: { type: 'string' } } } as const;
export const WITH_LOCATION = {
  Location: { description: 'Where to look at it', schema: { type: 'string', format: 'uri-reference' } },
} as const;

/** A controller under `/v1`, in the OpenAPI document under its tag. What every call can be answered with is added there. */
export const ApiController = (path: string, tag: string): ClassDecorator =>
  applyDecorators(Controller(`v1/${path}`), ApiTags(tag), ApiBearerAuth(), ApiExtraModels(ProblemDto));

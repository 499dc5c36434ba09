import { applyDecorators, Controller } from '@nestjs/common';
import { ApiBearerAuth, ApiExtraModels, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { ProblemDto } from '@form-webhooks/http-api';

const COMMON = { 401: 'No valid credential', 403: 'A scope is missing', 422: 'Not valid', 429: 'Too many requests' };

/** A problem document as an answer of a route. */
export const Answers = (status: number, description: string): MethodDecorator & ClassDecorator =>
  ApiResponse({
    status,
    description,
    content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } },
  });

/** A controller under `/v1`, in the OpenAPI document under its tag. */
export const ApiController = (path: string, tag: string): ClassDecorator =>
  applyDecorators(
    Controller(`v1/${path}`),
    ApiTags(tag),
    ApiBearerAuth(),
    ApiExtraModels(ProblemDto),
    ...Object.entries(COMMON).map(([status, description]) => Answers(Number(status), description)),
  );

import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import type { FieldProblemDto } from '@form-webhooks/http-api';
import { isNameOfEveryObject } from './object-names.js';
import { invalid } from './problems.js';

/** Several times what any query has. As with bodies (`parseJsonBody`), what judges them takes the square of their number. */
const MAX_QUERY_NAMES = 100;

const PLAIN_TYPES: readonly unknown[] = [String, Boolean, Number, Array, Object];

/** Stable codes for what class-validator calls by its own names; others are `invalid`. */
const CODES: Readonly<Record<string, string>> = {
  whitelistValidation: 'unknown_member',
  isString: 'type',
  isBoolean: 'type',
  isInt: 'type',
  isNumber: 'type',
  isObject: 'type',
  isArray: 'type',
  isNotEmpty: 'empty',
  arrayNotEmpty: 'empty',
  isIn: 'not_allowed',
  isEnum: 'not_allowed',
  notEquals: 'not_allowed',
  matches: 'format',
  isRfc3339: 'format',
  isISO8601: 'format',
  minLength: 'too_short',
  maxLength: 'too_long',
  isJsonWithin: 'too_long',
  arrayMaxSize: 'too_many',
  arrayUnique: 'repeated',
  min: 'too_small',
  max: 'too_large',
};

/**
 * Checks bodies and queries against their DTO: unknown members are refused, nothing is converted in silence, and all
 * that is wrong is told at once.
 */
@Injectable()
export class StrictDtoPipe implements PipeTransform {
  async transform(value: unknown, { metatype, type }: ArgumentMetadata): Promise<unknown> {
    if (type === 'custom' || metatype === undefined || PLAIN_TYPES.includes(metatype)) return value;
    refuseNamesOfEveryObject(value);
    if (type === 'query') refuseVeryMany(value);
    const instance = plainToInstance(metatype as Type<object>, value ?? {});
    const errors = await validate(instance, {
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: false,
    });
    if (errors.length > 0) throw invalid(...errors.flatMap((error) => problemsOf(error, '')));
    return instance;
  }
}

/** Bodies were searched when they were parsed, in all their depth; queries are flat. */
function refuseNamesOfEveryObject(value: unknown): void {
  const unknown = Object.keys(value ?? {}).filter(isNameOfEveryObject);
  if (unknown.length === 0) return;
  throw invalid(
    ...unknown.map((field) => ({ field, code: 'unknown_member', message: `There is no member ${field}.` })),
  );
}

function refuseVeryMany(query: unknown): void {
  if (Object.keys(query ?? {}).length <= MAX_QUERY_NAMES) return;
  const message = `A query has at most ${MAX_QUERY_NAMES} different names.`;
  throw invalid({ field: '', code: 'too_many_members', message });
}

function problemsOf(error: ValidationError, parent: string): FieldProblemDto[] {
  const field = (parent === '' ? error.property : `${parent}.${error.property}`).slice(0, 200);
  const nested = (error.children ?? []).flatMap((child) => problemsOf(child, field));
  const found = Object.entries(error.constraints ?? {}).map(([constraint, message]) => ({
    field,
    code: CODES[constraint] ?? 'invalid',
    message: constraint === 'whitelistValidation' ? `There is no member ${field}.` : sentence(message, error, field),
  }));
  const decisive = found.find(({ code }) => code === 'unknown_member') ?? missing(error, field, found);
  if (decisive) return [decisive];
  // A value of the wrong type breaks every other rule too: one word about it is enough.
  const wrongType = found.find(({ code }) => code === 'type');
  return wrongType ? [wrongType, ...nested] : [...found, ...nested];
}

function missing(
  error: ValidationError,
  field: string,
  found: readonly FieldProblemDto[],
): FieldProblemDto | undefined {
  if (error.value !== undefined || found.length === 0) return undefined;
  return { field, code: 'required', message: `${field} is required.` };
}

const sentence = (text: string, { property }: ValidationError, field: string): string =>
  text.replace(property, field).replace(/\.?$/, '.');

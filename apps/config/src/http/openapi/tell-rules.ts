import type { OpenAPIObject } from '@nestjs/swagger';
import * as shapes from '@form-webhooks/http-api';
import { rulesOf, type MemberRules, type SchemaPart } from '@form-webhooks/http-edge';
import { patternOf } from './path-ids.js';
import type { DtoClass } from './query-classes.js';
import type { Schema } from './schema.js';
import { reachable } from './schema.js';

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  description?: string;
}

/** An operation as far as it is completed here. */
export interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Record<string, unknown>>;
}

/** Says in the schemas what the validation checks, so that it stands in the code once. */
export function tellRules(document: OpenAPIObject, queries: ReadonlyMap<string, DtoClass>): void {
  const schemas = document.components!.schemas as Record<string, Schema>;
  for (const [name, schema] of Object.entries(schemas)) {
    const dto = (shapes as Readonly<Record<string, unknown>>)[name];
    if (typeof dto !== 'function') continue;
    const rules = rulesOf(dto as DtoClass);
    for (const [member, part] of Object.entries(schema.properties ?? {})) {
      schema.properties![member] = told(part, rules.get(member));
    }
  }
  for (const operation of operationsOf(document)) {
    const query = queries.get(operation.operationId);
    const rules = query && rulesOf(query);
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in === 'path') parameter.schema = { type: 'string', pattern: patternOf(parameter.name) };
      if (parameter.in === 'query' && parameter.schema) {
        parameter.schema = told(parameter.schema, rules?.get(parameter.name));
      }
    }
    operation.parameters = withoutRepeats(operation.parameters ?? []);
  }
  refuseUnknownMembers(document, schemas);
}

export const operationsOf = (document: OpenAPIObject): Operation[] =>
  Object.values(document.paths).flatMap((path) =>
    Object.values(path as Record<string, Operation>).filter(({ operationId }) => operationId !== undefined),
  );

/** What is documented by hand stays, but for a type: the checks know whole numbers. */
function told(schema: Schema, rules: MemberRules | undefined): Schema {
  if (!rules) return schema;
  const { items, ...own } = withRules(schema, rules.own);
  if (!items || items.$ref !== undefined) return { ...own, ...(items && { items }) };
  // Bounds of items that stand beside the list say nothing there, and what may be listed stands in them already.
  const { minimum: _min, maximum: _max, ...list } = own;
  const { enum: _listed, ...ofItems } = rules.items;
  return { ...list, items: withRules(items, ofItems) };
}

function withRules(schema: Schema, { type, ...rules }: SchemaPart): Schema {
  const isReference = schema.$ref !== undefined || schema.allOf !== undefined;
  return { ...rules, ...schema, ...(typeof type === 'string' && !isReference && { type }) };
}

/** Members that a request's body can have are all listed: any other is refused. */
function refuseUnknownMembers(document: OpenAPIObject, schemas: Record<string, Schema>): void {
  for (const name of reachable(
    operationsOf(document).map(({ requestBody }) => requestBody),
    schemas,
  )) {
    const schema = schemas[name]!;
    if (schema.properties) schema.additionalProperties = false;
  }
}

const withoutRepeats = (parameters: Parameter[]): Parameter[] => [
  ...new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values(),
];

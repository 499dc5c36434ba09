import { Ajv, type ValidateFunction } from 'ajv';

/** A schema of OpenAPI 3.0. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly pattern?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly headers?: Readonly<Record<string, unknown>>; readonly content?: Content }>
  >;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** One operation, with where it is. */
export interface Described {
  readonly verb: string;
  readonly path: string;
  readonly operation: Operation;
}

export const operationsOf = ({ paths }: OpenApi): Described[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => ({ verb: verb.toUpperCase(), path, operation })),
  );

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Judges values by the schemas of a document. */
export class SchemaJudge {
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly known = new Map<Schema, ValidateFunction>();

  constructor({ components }: Pick<OpenApi, 'components'>) {
    this.ajv.addFormat('date-time', RFC3339);
    for (const format of ['double', 'uri-reference']) this.ajv.addFormat(format, true);
    const schemas = Object.fromEntries(Object.entries(components.schemas).map(([name, one]) => [name, plain(one)]));
    this.ajv.addSchema({ components: { schemas } }, 'document');
  }

  /** @returns what is wrong, empty if nothing is */
  faults(schema: Schema, value: unknown): string {
    let validate = this.known.get(schema);
    if (!validate) {
      validate = this.ajv.compile(plain(schema));
      this.known.set(schema, validate);
    }
    return validate(value) ? '' : this.ajv.errorsText(validate.errors);
  }
}

/** The same as JSON schema, which has no `nullable`. */
function plain(schema: Schema): object {
  const { nullable, $ref, ...rest } = schema;
  const part: Record<string, unknown> = { ...rest, ...($ref === undefined ? {} : { $ref: `document${$ref}` }) };
  for (const member of ['properties'] as const) {
    if (rest[member]) {
      part[member] = Object.fromEntries(Object.entries(rest[member]).map(([name, one]) => [name, plain(one)]));
    }
  }
  for (const list of ['allOf', 'anyOf'] as const) if (rest[list]) part[list] = rest[list].map(plain);
  if (rest.items) part['items'] = plain(rest.items);
  if (typeof rest.additionalProperties === 'object') part['additionalProperties'] = plain(rest.additionalProperties);
  return nullable === true ? { anyOf: [part, { type: 'null' }] } : part;
}
